// The documentation's examples in each language. A test runs each of them unchanged.

export const languages = { curl: 'curl', python: 'Python', typescript: 'TypeScript' } as const;
export type Language = keyof typeof languages;

export type Example = { id: string; title: string; about: string; code: Readonly<Partial<Record<Language, string>>> };

/** The first one returns what the second one uses. */
export function clientExamples(baseUrl: string): readonly Example[] {
  return [
    {
      id: 'weather',
      title: 'Get the weather',
      about:
        'Set CLIENT_ID and CLIENT_SECRET in the environment. The curl example prints the whole response; the others print ' +
        'the current status.',
      code: {
        curl: `TOKEN=$(curl -sS '${baseUrl}/token/' \\
  -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d 'grant_type=client_credentials' |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sS '${baseUrl}/v2/weather/?location_lat=45.07&location_lng=7.69' \\
  -H "Authorization: Bearer $TOKEN"`,
        python: `import base64, json, os
from urllib.request import Request, urlopen

base = '${baseUrl}'
pair = os.environ['CLIENT_ID'] + ':' + os.environ['CLIENT_SECRET']
basic = {'Authorization': 'Basic ' + base64.b64encode(pair.encode()).decode()}
form = b'grant_type=client_credentials'
token = json.load(urlopen(Request(base + '/token/', form, basic)))
bearer = {'Authorization': 'Bearer ' + token['access_token']}

url = base + '/v2/weather/?location_lat=45.07&location_lng=7.69'
weather = json.load(urlopen(Request(url, headers=bearer)))
print(weather['objects'][0]['weather']['status'])`,
        typescript: `const base = '${baseUrl}';
const pair = \`\${process.env.CLIENT_ID}:\${process.env.CLIENT_SECRET}\`;
const answer = await fetch(\`\${base}/token/\`, {
  method: 'POST',
  headers: { authorization: \`Basic \${btoa(pair)}\` },
  body: new URLSearchParams({ grant_type: 'client_credentials' }),
});
const token = (await answer.json()) as { access_token: string };
const bearer = { authorization: \`Bearer \${token.access_token}\` };

type Weather = { objects: { weather: { status: string } }[] };
const url = \`\${base}/v2/weather/?location_lat=45.07&location_lng=7.69\`;
const weather = await fetch(url, { headers: bearer });
const { objects } = (await weather.json()) as Weather;
console.log(objects[0]?.weather.status);`,
      },
    },
    {
      id: 'monitor',
      title: 'Create a monitor',
      about: 'Continues the example of the Weather page, which gets the token, and prints the monitor’s ID.',
      code: {
        curl: `curl -sS '${baseUrl}/v2/monitors/' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "monitor_type": "precipitation",
    "callback_uri": "http://127.0.0.1:4545/rain",
    "geo": {"lat": 45.07, "lng": 7.69}
  }' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'`,
        python: `monitor = {
    'monitor_type': 'precipitation',
    'callback_uri': 'http://127.0.0.1:4545/rain',
    'geo': {'lat': 45.07, 'lng': 7.69},
}
headers = {**bearer, 'Content-Type': 'application/json'}
body = json.dumps(monitor).encode()
created = json.load(urlopen(Request(base + '/v2/monitors/', body, headers)))
print(created['id'])`,
        typescript: `const created = await fetch(\`\${base}/v2/monitors/\`, {
  method: 'POST',
  headers: { ...bearer, 'content-type': 'application/json' },
  body: JSON.stringify({
    monitor_type: 'precipitation',
    callback_uri: 'http://127.0.0.1:4545/rain',
    geo: { lat: 45.07, lng: 7.69 },
  }),
});
const { id } = (await created.json()) as { id: string };
console.log(id);`,
      },
    },
    {
      id: 'callback',
      title: 'Verify a callback',
      about: 'Create a webhook secret on your application’s page, and set it as WEBHOOK_SECRET.',
      code: {
        python: `import base64, hashlib, hmac, os, time

def is_genuine(headers, body):
    secret = os.environ['WEBHOOK_SECRET'].removeprefix('whsec_')
    sent_at = headers['webhook-timestamp']
    signed = f"{headers['webhook-id']}.{sent_at}.".encode() + body
    mac = hmac.new(base64.b64decode(secret), signed, hashlib.sha256)
    expected = 'v1,' + base64.b64encode(mac.digest()).decode()
    is_fresh = abs(time.time() - int(sent_at)) < 300
    given = headers['webhook-signature'].split()
    return is_fresh and any(hmac.compare_digest(expected, one) for one in given)`,
        typescript: `import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export async function handle(request: Request): Promise<Response> {
  const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
  const headers = Object.fromEntries(request.headers);
  try {
    const monitor = webhook.verify(await request.text(), headers) as { id: string };
    console.log(headers['webhook-id'], monitor.id);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 400 });
  }
}`,
      },
    },
  ];
}
