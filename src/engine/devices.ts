import type { DeviceDescriptor } from '../model/emulation.ts';
import { loadPlaywright } from './load-playwright.ts';

/** Playwright's descriptors of devices by name. Loads the library when first asked. */
export async function loadDevices(): Promise<Readonly<Record<string, DeviceDescriptor>>> {
  const { devices } = loadPlaywright();
  return devices;
}
