// What bundles keep of the contract. To build all its zod schemas would be a tenth of the app's start.
import { relative } from 'node:path';
import { projectFolder } from './tool.mjs';

/**
 * Keeps only the schemas that are used, and of a procedure only the input, built at the first call: outputs are for types and tests
 * (core/app/rpc-serving.ts). Like `sideEffects: false` of contract/package.json, it relies on constants that only compute their value.
 * @type {import('vite').Plugin}
 */
export const leanContract = {
  name: 'rainbell-lean-contract',
  enforce: 'post',
  transform(code, id) {
    if (!relative(projectFolder, id).startsWith('contract')) return undefined;
    /** @type {[start: number, end: number, text: string][]} */
    const edits = [];
    for (const statement of this.parse(code).body) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declaration?.type !== 'VariableDeclaration') continue;
      for (const { init } of declaration.declarations) {
        if (!init) continue;
        edits.push([init.start, init.start, '/* @__PURE__ */ (() => ('], [init.end, init.end, '))()']);
        if (init.type !== 'ObjectExpression' || !id.includes('/app-rpc/')) continue;
        for (const property of init.properties)
          if (property.type === 'Property') edits.push(...editsOf(property.value));
      }
    }
    for (const [start, end, text] of edits.toSorted(([a], [b]) => b - a))
      code = code.slice(0, start) + text + code.slice(end);
    return { code, map: null };
  },
};

/**
 * The edits of `procedure.input(…).output(…)`.
 * @param {import('vite').ESTree.Expression} call
 * @returns {[start: number, end: number, text: string][]}
 */
function editsOf(call) {
  if (call.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return [];
  const { object, property } = call.callee;
  const [argument] = call.arguments;
  const name = property.type === 'Identifier' && property.name;
  if (name === 'output') return [[object.end, call.end, ''], ...editsOf(object)];
  if (name !== 'input' || !argument) return editsOf(object);
  const lazy = '((schema) => ({ get "~standard"() { return (schema ??= ';
  return [
    [argument.start, argument.start, lazy],
    [argument.end, argument.end, ')["~standard"]; } }))()'],
  ];
}
