import { OrielError } from '../kernel/errors.ts';
import { addressKind } from './address.ts';
import { isLocalhostName } from './host.ts';
import type { Refusal } from './refusal.ts';

/** A refusal in words: what happened, and what an operator could do about it. */
export interface Explanation {
  readonly reason: string;
  readonly remedy: string;
}

const KIND_WORDS = {
  public: 'a public address',
  loopback: 'a loopback address',
  unspecified: 'an address of this machine',
  private: 'a private address',
  'link-local': 'a link-local address',
  metadata: 'a metadata service address',
  multicast: 'a multicast address',
  reserved: 'a reserved address',
} as const;

/** Says which rule refused and how an operator would allow it; never what a name resolved to. */
export function explain(refusal: Refusal): Explanation {
  const { host, port } = refusal;
  const entry = entryFor(refusal);
  const exempt = `The operator can allow it with --exempt-hosts ${entry}.`;
  switch (refusal.rule) {
    case 'host_grammar':
      return {
        reason: `${JSON.stringify(host)} is not a host name or an IP address.`,
        remedy: 'Check the spelling of the URL.',
      };
    case 'port':
      return {
        reason: `Port ${port} of ${host} is not an allowed port.`,
        remedy: isLoopback(refusal) && port >= 1024 ? localRemedy(entry) : portRemedy(entry, port),
      };
    case 'deny_host':
      return {
        reason: `${host} is on the operator's list of denied hosts.`,
        remedy: 'Only the operator can take it off denyHosts.',
      };
    case 'not_allowlisted':
      return {
        reason: `${host} is not on the operator's allowlist.`,
        remedy: `The operator can allow it with --allowlist ${host}.`,
      };
    case 'special_name':
      return {
        reason: isLocalhostName(host)
          ? `${host} is this machine.`
          : `${host} is a name of the local network, not of the public internet.`,
        remedy: isLocalhostName(host) && port >= 1024 ? localRemedy(entry) : exempt,
      };
    case 'unresolved':
      return {
        reason: `${host} could not be resolved to an address.`,
        remedy: 'Check the spelling of the host name, or try again later.',
      };
    case 'never':
      return {
        reason: refusal.isLiteral
          ? `${host} is a metadata service address, which hands out credentials.`
          : `${host} leads to a metadata service, which hands out credentials.`,
        remedy: refusal.isLiteral ? exempt : 'Only an exact address in exemptHosts opens it.',
      };
    case 'deny_cidr':
      return {
        reason: `${host} is in an address range that the operator denies.`,
        remedy: 'Only the operator can take the range off denyCidrs.',
      };
    case 'control_port':
      return {
        reason: `Port ${port} of ${host} controls Oriel itself.`,
        remedy: 'It cannot be opened.',
      };
    case 'own_address':
      return {
        reason: `${host} is this machine.`,
        remedy: 'Use localhost, which the operator can allow with --local.',
      };
    case 'not_public':
      return {
        reason:
          refusal.isLiteral && refusal.kind
            ? `${host} is ${KIND_WORDS[refusal.kind]}.`
            : `${host} does not lead to a public address.`,
        remedy: isLoopback(refusal) && port >= 1024 ? localRemedy(entry) : exempt,
      };
  }
}

/** Why an allowed connection did not come about; `error` is the system's code for it. */
export function explainFailure(host: string, port: number, error: string): Explanation {
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  switch (error) {
    case 'ECONNREFUSED':
      return {
        reason: `Nothing listens at ${where} (connection refused).`,
        remedy: 'Check host and port, or start the server first.',
      };
    case 'ECONNRESET':
    case 'EPIPE':
      return {
        reason: `${where} ended the connection as it was made (connection reset).`,
        remedy: 'Try again; if it stays so, the server or a firewall turns connections away.',
      };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return {
        reason: `${where} cannot be reached from this machine (${error}).`,
        remedy: 'Check the network of this machine and the address.',
      };
    case 'ETIMEDOUT':
    case 'TimeoutError':
      return {
        reason: `${where} did not answer in time.`,
        remedy: 'Try again later, or check the address and what stands between.',
      };
    default:
      return {
        reason: `The connection to ${where} failed${error === '' ? '' : ` (${error})`}.`,
        remedy: 'Check the address, then try again.',
      };
  }
}

/** A refusal as the error an agent sees. */
export function blockedError(refusal: Refusal): OrielError {
  const { reason, remedy } = explain(refusal);
  return new OrielError('blocked', reason, {
    hint: remedy,
    details: { rule: refusal.rule, host: refusal.host, port: refusal.port },
  });
}

/** The `exemptHosts` entry that would open the target: with the port where that is what is shut. */
function entryFor(refusal: Refusal): string {
  const host = refusal.host.includes(':') ? `[${refusal.host}]` : refusal.host;
  return refusal.rule === 'port' ? `${host}:${refusal.port}` : host;
}

function isLoopback(refusal: Refusal): boolean {
  return refusal.isLiteral
    ? addressKind(refusal.host) === 'loopback'
    : isLocalhostName(refusal.host);
}

function localRemedy(entry: string): string {
  return `The operator can allow local servers with --local, or this one with --exempt-hosts ${entry}.`;
}

function portRemedy(entry: string, port: number): string {
  return `The operator can allow it with --exempt-hosts ${entry}, or add ${port} to allowedPorts.`;
}
