// The table of layers. A folder may import only the internal layers of its row, type-only imports
// included; a library is imported only where `LIBRARIES` says.

const SERVICES = ['gate', 'engine', 'session', 'lens', 'observe', 'act', 'store', 'web', 'live'];
const BASE = ['kernel', 'model'];

/** Folder of src → the folders of src that it may import (itself is always allowed). */
const LAYERS = {
  kernel: [],
  model: ['kernel'],
  config: BASE,
  ...Object.fromEntries(SERVICES.map((service) => [service, BASE])),
  tool: BASE,
  tools: ['tool', ...BASE],
  dialect: ['tool', ...BASE],
  'surface/mcp': ['tool', 'config', ...BASE],
  'surface/cli': ['tool', 'config', ...BASE],
  'surface/http': ['tool', 'config', ...BASE],
  'surface/library': ['tool', 'config', ...BASE],
  'surface/plugin': ['dialect', 'tool', ...BASE],
  app: [
    'config',
    ...SERVICES,
    'tool',
    'tools',
    'dialect',
    'surface/mcp',
    'surface/cli',
    'surface/http',
    'surface/library',
    'surface/plugin',
    ...BASE,
  ],
  bin: ['app'],
};

/** Layers that may know the types that services offer, but never their values. */
const TYPES_OF_SERVICES = { tool: ['config', ...SERVICES] };

/** Package → where it may be imported as a value, and where as a type only. */
const LIBRARIES = {
  'playwright-core': {
    values: ['engine'],
    types: ['model', 'session', 'lens', 'observe', 'act', 'tool', 'tools', 'live', 'app'],
  },
  '@modelcontextprotocol/server': { values: ['surface/mcp'] },
  '@modelcontextprotocol/client': { values: ['app'] },
  hono: { values: ['surface/http'] },
  '@hono/node-server': { values: ['surface/http'] },
  undici: { values: ['gate'] },
  ws: { values: ['engine', 'surface/http'] },
  zod: {
    values: [
      'model',
      'config',
      'tool',
      'tools',
      'dialect',
      'surface/mcp',
      'surface/cli',
      'surface/http',
      'surface/library',
      'surface/plugin',
      'app',
    ],
  },
};

const anyOf = (folders) => `^src/(${folders.join('|')})/`;
const modulesOf = (name) => `(^|/)node_modules/${name}/`;
const TEST = '\\.test\\.ts$';

const layerRules = Object.entries(LAYERS).map(([folder, allowed]) => ({
  name: `layer-${folder.replace('/', '-')}`,
  comment: `src/${folder} may import only ${allowed.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: anyOf([folder]), pathNot: TEST },
  to: {
    path: '^src/',
    pathNot: anyOf([folder, ...allowed, ...(TYPES_OF_SERVICES[folder] ?? [])]),
  },
}));

const typeOnlyRules = Object.entries(TYPES_OF_SERVICES).map(([folder, types]) => ({
  name: `types-only-${folder}`,
  comment: `src/${folder} may import only types from ${types.join(', ')}.`,
  severity: 'error',
  from: { path: anyOf([folder]), pathNot: TEST },
  to: { path: anyOf(types), dependencyTypesNot: ['type-only'] },
}));

const libraryRules = Object.entries(LIBRARIES).flatMap(([name, { values, types = [] }]) => [
  {
    name: `library-${name}`,
    comment: `${name} belongs to src/${values.join(', src/')}${types.length > 0 ? `; its types also to src/${types.join(', src/')}` : ''}.`,
    severity: 'error',
    from: { path: '^src/', pathNot: [anyOf([...values, ...types]), TEST] },
    to: { path: modulesOf(name) },
  },
  ...(types.length > 0
    ? [
        {
          name: `library-value-${name}`,
          comment: `Only src/${values.join(', src/')} may import ${name} as a value; others use \`import type\`.`,
          severity: 'error',
          from: { path: anyOf(types), pathNot: TEST },
          to: { path: modulesOf(name), dependencyTypesNot: ['type-only'] },
        },
      ]
    : []),
]);

export default {
  forbidden: [
    ...layerRules,
    ...typeOnlyRules,
    ...libraryRules,
    {
      name: 'dialects-apart',
      comment: 'A dialect is one folder: none knows another.',
      severity: 'error',
      from: { path: '^src/dialect/([^/]+)/', pathNot: TEST },
      to: { path: '^src/dialect/[^/]+/', pathNot: '^src/dialect/$1/' },
    },
    {
      name: 'one-judge-of-addresses',
      comment: 'Addresses are judged in src/gate alone; the outside asks its guard, gate or fetch.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/gate/', TEST] },
      to: { path: '^src/gate/(address|decide|resolve)\\.ts$' },
    },
    {
      name: 'folder-without-a-row',
      comment: 'Every folder of src has a row in LAYERS.',
      severity: 'error',
      from: { path: '^src/', pathNot: anyOf(Object.keys(LAYERS)) },
      to: {},
    },
    {
      name: 'no-circular',
      comment: 'No cycles, also not through types.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is dead, or an entry that belongs in this list.',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src/',
        pathNot: [TEST, '\\.d\\.ts$', '^src/lens/page/', '^src/bin/'],
      },
      to: {},
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment: 'What ships may use only `dependencies`.',
      severity: 'error',
      from: { path: '^src/', pathNot: [TEST, '^src/lens/page/'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-test-in-product',
      severity: 'error',
      from: { path: '^src/', pathNot: TEST },
      to: { path: [TEST, '^test/', '^bench/', '^scripts/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^src/lens/page/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};
