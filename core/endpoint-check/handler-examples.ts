// Short examples of a right handler, in the language that a handler's response headers reveal.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { headerOf } from '../http/http-headers.ts';

const node = `app.post('/hook', express.raw({ type: '*/*' }), (request, response) => {
  const [id, time, header] = ['id', 'timestamp', 'signature'].map((name) => request.get(\`webhook-\${name}\`) ?? '');
  const key = Buffer.from(process.env.WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const right = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(request.body).digest();
  const isRight = header.split(' ').some((entry) => {
    const given = Buffer.from(entry.replace('v1,', ''), 'base64');
    return given.length === right.length && timingSafeEqual(given, right);
  });
  response.sendStatus(isRight && Math.abs(Date.now() / 1000 - Number(time)) < 300 ? 204 : 401);
});`;

const python = `@app.post("/hook")
def hook():
    id, at, header = (request.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not at.isdigit() or abs(time.time() - int(at)) > 300:
        return "", 401
    key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
    signed = f"{id}.{at}.".encode() + request.get_data()
    right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return "", 204 if any(hmac.compare_digest(one, right) for one in header.split(" ")) else 401`;

/** Null if no language is recognized. */
export function exampleFor(headers: HeaderList): string | null {
  const text = [headerOf(headers, 'x-powered-by'), headerOf(headers, 'server')].join(' ');
  if (/express|koa|next\.js|fastify|node/i.test(text)) return node;
  return /werkzeug|gunicorn|uvicorn|hypercorn|python|daphne/i.test(text) ? python : null;
}
