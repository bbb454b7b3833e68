import {
  HIDDEN,
  isSecretName,
  redactBody,
  redactHeaders,
  redactUrl,
  type Header,
} from './secrets.ts';

interface Har {
  readonly log: { readonly entries: HarEntry[] };
}

interface HarEntry {
  readonly request: HarMessage & {
    url: string;
    queryString?: Header[];
    postData?: { mimeType: string; text?: string; params?: Header[] };
  };
  readonly response: HarMessage & { redirectURL?: string };
}

interface HarMessage {
  headers: Header[];
  cookies: Header[];
}

/** A HAR (1.2) with the secrets hidden that headers, cookies, addresses and forms carry. */
export function redactHar(text: string): string {
  const har = JSON.parse(text) as Har;
  for (const { request, response } of har.log.entries) {
    for (const message of [request, response]) {
      message.headers = redactHeaders(message.headers);
      message.cookies = message.cookies.map((cookie) => ({ ...cookie, value: HIDDEN }));
    }
    request.url = redactUrl(request.url);
    if (response.redirectURL) response.redirectURL = redactUrl(response.redirectURL);
    if (request.queryString) request.queryString = redactPairs(request.queryString);
    const { postData } = request;
    if (postData?.params) postData.params = redactPairs(postData.params);
    if (postData?.text) postData.text = redactBody(postData.text, postData.mimeType);
  }
  return JSON.stringify(har);
}

function redactPairs(pairs: readonly Header[]): Header[] {
  return pairs.map((pair) => (isSecretName(pair.name) ? { ...pair, value: HIDDEN } : pair));
}
