/** Compares names without regard to case, `_` and `-`. */
export function fold(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
