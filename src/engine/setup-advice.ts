import type { HostFacts } from './host-facts.ts';

/** The release of Playwright whose browser builds fit; kept equal to package.json by a test. */
export const PLAYWRIGHT_VERSION = '1.65.1';

/** The shell commands that would give this system a browser, the best first. */
export function adviseSetup(host: HostFacts): string[] {
  const playwright = `npx playwright-core@${PLAYWRIGHT_VERSION} install --with-deps chromium-headless-shell`;
  if (host.platform === 'darwin') {
    return ['brew install --cask google-chrome', withoutDeps(playwright)];
  }
  if (host.platform === 'win32') {
    return ['winget install --id Google.Chrome', withoutDeps(playwright)];
  }
  const sudo = host.isRoot ? '' : 'sudo ';
  const native = linuxFamily(host).map((family) => LINUX_COMMANDS[family]);
  const first = native.find((command) => command !== undefined);
  return [...(first === undefined ? [] : [first.replaceAll('SUDO ', sudo)]), playwright];
}

/** True on systems whose `chromium` package is a browser that apt-get can install. */
export function isDebianLike(host: HostFacts): boolean {
  return linuxFamily(host).some((family) => family === 'debian' || family === 'ubuntu');
}

const LINUX_COMMANDS: Readonly<Record<string, string>> = {
  debian: 'SUDO apt-get update && SUDO apt-get install -y chromium-headless-shell chromium',
  fedora: 'SUDO dnf install -y chromium-headless chromium',
  rhel: 'SUDO dnf install -y epel-release && SUDO dnf install -y chromium-headless',
  arch: 'SUDO pacman -S --needed chromium',
  alpine: 'SUDO apk add chromium',
  suse: 'SUDO zypper install -y chromium',
};

/** ID and ID_LIKE of /etc/os-release, the most exact first. */
function linuxFamily(host: HostFacts): string[] {
  if (host.platform !== 'linux') return [];
  const text = host.readText('/etc/os-release') ?? '';
  const field = (name: string) =>
    text.match(new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm'))?.[1]?.split(/\s+/) ?? [];
  const names = [...field('ID'), ...field('ID_LIKE')].filter((name) => name !== '');
  // Ubuntu says ID_LIKE=debian, but its `chromium` is a snap stub that does not work in containers.
  return names.includes('ubuntu') ? ['ubuntu'] : names;
}

function withoutDeps(command: string): string {
  return command.replace(' --with-deps', '');
}
