// The request of a "try it" form: path and query from its fields, limited to the operation's parameters.
import type { Form } from '../../oauth/form-body.ts';
import type { ApiRequest } from '../../oauth/call-api.ts';
import type { DocumentedOperation } from '../../http/operation.ts';

export function buildTrial(operation: DocumentedOperation, form: Form): ApiRequest {
  let { path } = operation;
  const query = new URLSearchParams();
  for (const { name, in: place } of operation.parameters ?? []) {
    const value = form.get(`parameter_${name}`)?.trim() ?? '';
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(name, value);
  }
  const method = operation.method.toUpperCase() as ApiRequest['method'];
  const body = operation.body === undefined ? undefined : (form.get('body') ?? '');
  return { method, path: query.size === 0 ? path : `${path}?${query.toString()}`, body };
}

/** Returns the same request for a terminal. */
export function curlOf(request: ApiRequest, baseUrl: string): string {
  const lines = [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}'${baseUrl}${request.path}'`,
    "  -H 'Authorization: Bearer ACCESS_TOKEN'",
    ...(request.body === undefined
      ? []
      : ["  -H 'Content-Type: application/json'", `  -d '${request.body.replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(' \\\n');
}
