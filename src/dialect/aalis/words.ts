import { isOrielError, type OrielError } from '../../kernel/errors.ts';
import type { AnyDialectTool } from '../dialect.ts';

/** Said alike of a page of another session and of one that never was. */
export const NO_PAGE = '页面不存在';
/** The note of a screenshot that stands in the result as a picture. */
export const ATTACHED =
  '图已随结果附上;若你看不到图,可把 storage_uri 交给看图工具(如有)或 send_attachment';
/** And of one that does not. */
export const NOT_ATTACHED =
  '图未随结果附上,可把 storage_uri 交给看图工具(如有)查看或 send_attachment 发送';
/** What a page's connection fails with when the gate refuses it, or the world does. */
export const REFUSED = 'net::ERR_SOCKS_CONNECTION_FAILED';

const KINDS: Readonly<Partial<Record<OrielError['code'], string>>> = {
  bad_input: '参数错误',
  not_found: '找不到元素',
  stale_ref: '找不到元素',
  timeout: '操作超时',
  blocked: '不允许访问该地址',
  denied: '操作被拒绝',
  over_limit: '超出上限',
  not_actionable: '元素无法操作',
  user_holds_browser: '用户正在操作浏览器',
  setup_needed: '浏览器不可用',
  cancelled: '操作已取消',
};

/** The one text of a failure. */
export function errorText(error: OrielError, tool: AnyDialectTool | null): string {
  if (tool === null) return `未知工具: ${error.message}`;
  if (isMissingPage(error)) return NO_PAGE;
  const kind = KINDS[error.code];
  const text = refusalText(error) ?? error.message;
  return kind ? `${kind}: ${text}` : text;
}

/** A page that was lost with the browser, closed for others, or never there. */
export function isMissingPage(error: unknown): boolean {
  if (!isOrielError(error)) return false;
  return (
    error.code === 'gone' || (error.code === 'not_found' && error.details?.['page'] !== undefined)
  );
}

/** Whether the browser said that its proxy did not connect. */
export function isRefusedConnection(error: unknown): boolean {
  return isOrielError(error) && error.details?.['netError'] === REFUSED.replace('net::', '');
}

/** Refused at the connection in that system, where ours refuses by the address alone. */
const CONNECTION_RULES = new Set<unknown>([
  'port',
  'deny_host',
  'not_allowlisted',
  'deny_cidr',
  'control_port',
  'own_address',
  'never',
]);

function refusalText(error: OrielError): string | null {
  const isRefused = isRefusedConnection(error) || CONNECTION_RULES.has(error.details?.['rule']);
  if (!isRefused) return null;
  return `${REFUSED}。目标可能被 blockPrivate 拦截;宿主的 network 配置格式错误时也会报此错误。(${error.message})`;
}
