// What the service returns and sends, as the documentation and the home page show it. A test parses them with the schemas.

export const monitorExample = `{
  "uri": "/v2/monitors/precipitation_1/",
  "geo": { "type": "Point", "coordinates": [7.69, 45.07] },
  "id": "precipitation_1",
  "callback_uri": "https://example.org/rain",
  "monitor_type": "precipitation"
}`;

export const weatherExample = `{
  "objects": [
    {
      "timestamp": "2026-11-28T14:00:00",
      "weather": {
        "status": "rainy",
        "measured": {
          "temperature": 281.4,
          "humidity": 93,
          "pressure": 1009.2,
          "wind_speed": 4.1,
          "wind_direction": 251,
          "rainfall": 2.4
        }
      },
      "geo": { "type": "Point", "coordinates": [7.7, 45.1] },
      "location": { "country": "Italy", "locality": "Turin" },
      "icon": "https://example.org/v2/icons/rainy",
      "sun_altitude": 12.6,
      "sources": ["open-meteo"]
    }
  ],
  "meta": {}
}`;

export const responseExamples: Readonly<Record<string, string>> = {
  'get-token': `{
  "access_token": "ACCESS_TOKEN",
  "token_type": "bearer",
  "expires_in": 3600,
  "refresh_token": "REFRESH_TOKEN"
}`,
  'get-weather': weatherExample,
  'list-monitors': `{ "objects": [${monitorExample.replaceAll('\n', '\n  ')}],\n  "meta": {} }`,
  'create-monitor': monitorExample,
  'get-monitor': monitorExample,
  'replace-monitor': monitorExample,
};

/** What a monitor's callback URL receives, with the headers that matter. */
export const callbackExample = `POST /rain HTTP/1.1
content-type: application/json
webhook-id: evt_0190b3e07f0070008000000000000001
webhook-timestamp: 1795874400
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

${monitorExample}`;
