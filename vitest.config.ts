import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { target: 'es2023' },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
