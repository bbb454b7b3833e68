export interface Header {
  readonly name: string;
  readonly value: string;
}

export const HIDDEN = '[hidden]';

const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
  'x-amz-security-token',
]);
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|^(?:pass|pwd|pin|otp|cvv|cvc|auth|sid|jwt)$|secret|token|api[-_]?key|credential|authori[sz]ation|private[-_]?key|session[-_]?id/i;

/** Whether a field, parameter or header of this name holds what nobody else may read. */
export function isSecretName(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase()) || SECRET_NAME.test(name);
}

/** Keeps the names of cookies, which tell what a site does, and hides every secret value. */
export function redactHeaders(headers: readonly Header[]): Header[] {
  return headers.map(({ name, value }) => ({ name, value: redactHeader(name, value) }));
}

function redactHeader(name: string, value: string): string {
  switch (name.toLowerCase()) {
    case 'cookie':
      return value
        .split(';')
        .map((pair) => `${pair.split('=', 1)[0]?.trim()}=${HIDDEN}`)
        .join('; ');
    case 'set-cookie':
      return value
        .split('\n')
        .map((cookie) => cookie.replace(/^([^=;]*)=[^;]*/, `$1=${HIDDEN}`))
        .join('\n');
    case 'authorization':
    case 'proxy-authorization':
      return value.replace(/^(\S+ )?.*$/s, `$1${HIDDEN}`);
    case 'location':
    case 'referer':
    case ':path':
      return redactUrl(value);
    default:
      return isSecretName(name) ? HIDDEN : value;
  }
}

/** Hides a password in the address, and parameters with the name of a secret. */
export function redactUrl(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#@]*@/i, `$1:${HIDDEN}@`)
    .replace(/([?&#;])([^=&#;?]+)=([^&#;]*)/g, (whole, mark: string, name: string) =>
      isSecretName(decoded(name)) ? `${mark}${name}=${HIDDEN}` : whole,
    );
}

/** Hides the secrets of a request's body, whether a form, multipart or JSON. */
export function redactBody(body: string, contentType: string): string {
  if (/json/i.test(contentType) || /^\s*[[{]/.test(body)) return redactJson(body);
  if (/multipart\//i.test(contentType)) {
    return body.replace(
      /(content-disposition:[^\r\n]*\bname="([^"]*)"[^]*?\r?\n\r?\n)([^]*?)(?=\r?\n--)/gi,
      (whole, head: string, name: string) => (isSecretName(name) ? `${head}${HIDDEN}` : whole),
    );
  }
  if (!/^[^\s=&]+=/.test(body)) return body;
  return body
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0] ?? '';
      return isSecretName(decoded(name)) ? `${name}=${HIDDEN}` : pair;
    })
    .join('&');
}

/** Works on the text, since a body may be cut or only look like JSON. */
function redactJson(body: string): string {
  return body.replace(
    /("((?:[^"\\]|\\.)*)"\s*:\s*)("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*)/g,
    (whole, head: string, name: string) => (isSecretName(name) ? `${head}"${HIDDEN}"` : whole),
  );
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
