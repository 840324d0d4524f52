// What a schema refuses, as users see it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { formatSchemaError } from '#shared/errors/schema-error.ts';
import '#test/property-seed.ts';

function troubleOf(schema: z.ZodType, value: unknown): string {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue ? formatSchemaError(issue, value, 'The answer') : 'fits';
}

const list = z.object({ objects: z.array(z.object({ id: z.string() })) });

test.each<[z.ZodType, unknown, string]>([
  [list, { objects: [{ id: 7 }] }, 'objects, item 1, id: should be text, but is a number'],
  [list, { objects: [{ id: 'a' }, {}] }, 'objects, item 2, id: is missing'],
  [list, [], 'The answer should be an object, but is a list'],
  [list, undefined, 'The answer should be an object, but is missing'],
  [list, { objects: null }, 'objects: should be a list, but is null'],
  [z.number(), NaN, 'The answer should be a number, but is not finite'],
  [z.int(), 1.5, 'The answer should be a whole number, but is a number with decimals'],
  [z.enum(['gray', 'red']), 'pink', 'The answer should be one of “gray”, “red”'],
  [z.literal('Point'), 'Line', 'The answer should be “Point”'],
  [z.string().max(3), 'long', 'The answer should be at most 3 characters long'],
  [z.array(z.string()).length(2), [], 'The answer should have exactly 2 items'],
  [z.number().min(-90), -91, 'The answer should be at least -90'],
  [z.number().lt(5), 5, 'The answer should be less than 5'],
  [z.url(), 'nowhere', 'The answer should be a full URL such as https://example.net/'],
  [z.string().startsWith('/'), 'a', 'The answer should start with “/”'],
  [z.string().regex(/^a/), 'b', 'The answer has an invalid format'],
  [z.string().regex(/^a/, 'must begin with an a.'), 'b', 'The answer must begin with an a'],
  [z.string().refine(() => false), 'b', 'The answer is not valid'],
  [z.strictObject({}), { colour: 1 }, 'The answer has unknown fields: colour'],
  [z.union([z.string(), z.number()]), true, 'The answer should be text or a number, but is true or false'],
  [
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    { kind: 'c' },
    'kind: should be one of “a”, “b”',
  ],
  [
    z.union([z.object({ at: z.string() }), z.object({ at: z.null() })]),
    { at: 7 },
    'The answer matches none of the allowed forms (at: should be text, but is a number)',
  ],
])('%#: says where and what in plain words', (schema, value, words) => {
  expect(troubleOf(schema, value)).toBe(words);
});

const { schema: anySchema } = fc.letrec<{ schema: z.ZodType; leaf: z.ZodType }>((tie) => ({
  leaf: fc.constantFrom<z.ZodType[]>(
    z.string().min(2).max(4),
    z.string().length(3),
    z.string().regex(/^a/),
    z.string().endsWith('z'),
    z.string().includes('y'),
    z.iso.datetime(),
    z.base64(),
    z.number().min(3).lt(10).multipleOf(0.5),
    z.int(),
    z.boolean(),
    z.null(),
    z.literal(['a', 1, null]),
    z.enum(['one', 'two']),
    z.string().transform(Number).pipe(z.number()),
    z.coerce.number(),
    z.any().refine((value) => value === 'this'),
    z.instanceof(Map),
  ),
  schema: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    tie('schema').map((item) => z.array(item).min(1)),
    tie('schema').map((item) => z.object({ a: item, b: item.optional() })),
    tie('schema').map((item) => z.strictObject({ a: item })),
    tie('schema').map((item) => z.record(z.string().min(3), item)),
    fc.tuple(tie('schema'), tie('schema')).map(([one, other]) => z.tuple([one, other])),
    fc.tuple(tie('schema'), tie('schema')).map(([one, other]) => z.union([one, other])),
    fc
      .tuple(tie('schema'), tie('schema'))
      .map(([one, other]) =>
        z.discriminatedUnion('a', [z.object({ a: z.literal('x'), c: one }), z.object({ a: z.literal('y'), c: other })]),
      ),
  ),
}));

const anyValue = fc.oneof(
  fc.anything({ maxDepth: 3 }),
  fc.anything({ key: fc.constantFrom('a', 'b', 'c'), values: [fc.constantFrom('x', 'y', 1, null, undefined)] }),
);

test('every issue of every schema is a sentence without the words of zod', () => {
  const codes = new Set<string>();
  fc.assert(
    fc.property(anySchema, anyValue, (schema, value) => {
      for (const issue of schema.safeParse(value).error?.issues ?? []) {
        codes.add(issue.code);
        const words = formatSchemaError(issue, value, 'The answer');
        expect(words).toMatch(/(^The answer|\S.*:) (is|has|matches|should|does|must)\b.+/s);
        expect(words).not.toMatch(/Invalid|expected|received|Too (big|small)|undefined|\[object/);
      }
    }),
    { numRuns: 3000 },
  );
  // Otherwise the schemas above refuse too little to show anything.
  expect(codes.size).toBeGreaterThan(6);
});
