// Made by scripts/generate.mjs from src/tools; change those files, not this one.
import type { PreparedListing } from './prepare-listing.ts';

/** Every tool's listing: making them takes all declarations, and a start should not wait for it. */
export const LISTINGS: readonly PreparedListing[] = [
  {
    pack: 'dialog',
    effects: ['read', 'act'],
    argumentPacks: {},
    listing: {
      name: 'browser_dialog',
      description:
        'Answer the open dialog, arm the answer to the next, or set what happens to all of a session.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            default: 'status',
            description: 'The answer.',
            type: 'string',
            enum: ['accept', 'dismiss', 'status'],
          },
          text: { description: 'What to enter in a prompt.', type: 'string' },
          policy: {
            description:
              "What happens to this session's dialogs from now on; manual: they wait for you.",
            type: 'string',
            enum: ['accept', 'dismiss', 'manual'],
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    effects: ['act'],
    argumentPacks: { space: 'pointer', delayMs: 'pointer' },
    listing: {
      name: 'browser_click',
      description: 'Click an element, or a place of the viewport; answers with what that changed.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          target: { type: 'string' },
          x: {
            description: 'Instead of target, with y: CSS pixels of the viewport.',
            type: 'number',
          },
          y: { description: 'From its top.', type: 'number' },
          space: {
            description:
              'Size that x and y are measured in, if not the viewport, such as of a picture.',
            type: 'object',
            properties: { width: { type: 'number' }, height: { type: 'number' } },
            required: ['width', 'height'],
          },
          button: {
            default: 'left',
            description: 'Mouse button.',
            type: 'string',
            enum: ['left', 'right', 'middle'],
          },
          count: { default: 1, description: '2 for a double click.', type: 'integer' },
          modifiers: {
            description: 'Keys held down.',
            type: 'array',
            items: { type: 'string', enum: ['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift'] },
          },
          delayMs: { default: 0, description: 'Time between press and release.', type: 'integer' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
      },
    },
  },
  {
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_fill',
      description:
        'Set many form fields of any kind in one call; answers with what differs from what was asked.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          fields: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                target: { type: 'string', description: 'Ref such as e12, or a selector' },
                value: {
                  anyOf: [
                    { type: 'string' },
                    { type: 'number' },
                    { type: 'boolean' },
                    { type: 'array', items: { type: 'string' } },
                  ],
                  description:
                    'Text; true or false for a checkbox; option(s) of a select; path(s) of files.',
                },
              },
              required: ['target', 'value'],
            },
            description: 'What to set, in order.',
          },
          stopOnError: {
            default: true,
            description: 'false: go on with the other fields.',
            type: 'boolean',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['fields'],
      },
    },
  },
  {
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_hover',
      description: 'Move the mouse over an element, for menus and tooltips that open on hover.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          target: { type: 'string' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['target'],
      },
    },
  },
  {
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_press',
      description:
        'Press a key or chord (Enter, Escape, Control+a) where the focus is, or on an element.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          key: { type: 'string', description: 'Key, with modifiers before it.' },
          target: { type: 'string' },
          count: { default: 1, description: 'How often.', type: 'integer' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['key'],
      },
    },
  },
  {
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_select',
      description: 'Choose options of a <select> by value or label.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          target: { type: 'string' },
          values: { type: 'array', items: { type: 'string' }, description: 'Values or labels.' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['target', 'values'],
      },
    },
  },
  {
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_type',
      description: 'Type text into one field; answers with the value that then stands in it.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          target: { type: 'string' },
          text: { type: 'string', description: 'What to type.' },
          clear: {
            default: true,
            description: 'Replace what stands there; false adds to its end.',
            type: 'boolean',
          },
          submit: { description: 'Press Enter afterwards.', type: 'boolean' },
          slowly: { description: 'Key by key, for pages that listen to keys.', type: 'boolean' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['target', 'text'],
      },
    },
  },
  {
    pack: 'emulate',
    effects: ['config'],
    argumentPacks: {},
    listing: {
      name: 'browser_clock',
      description: 'Set, stop or advance the time that pages of this session see.',
      effect: 'config',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: ['fixed', 'install', 'fastForward', 'resume'],
            description: 'fixed: time stands; install: it runs from `time`; fastForward: by `ms`.',
          },
          time: { description: 'Such as 2030-01-31T12:00:00Z.', type: 'string' },
          ms: { type: 'integer' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
        required: ['action'],
      },
    },
  },
  {
    pack: 'emulate',
    effects: ['read', 'config'],
    argumentPacks: {},
    listing: {
      name: 'browser_emulate',
      description: 'Make pages believe in another device, place, language, line or preference.',
      effect: 'config',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            default: 'set',
            description: '`clear` undoes all that was set, routes and clock too.',
            type: 'string',
            enum: ['set', 'get', 'clear'],
          },
          device: { description: 'Such as "iPhone 15" or "Pixel 7 landscape".', type: 'string' },
          userAgent: { type: 'string' },
          colorScheme: { type: 'string', enum: ['light', 'dark', 'no-preference'] },
          reducedMotion: { type: 'string', enum: ['reduce', 'no-preference'] },
          forcedColors: { type: 'string', enum: ['active', 'none'] },
          contrast: { type: 'string', enum: ['more', 'no-preference'] },
          media: { type: 'string', enum: ['screen', 'print'] },
          locale: { description: 'Such as de-DE.', type: 'string' },
          timezone: { description: 'Such as Europe/Berlin.', type: 'string' },
          network: {
            description: 'Slows the line down.',
            type: 'object',
            properties: {
              latencyMs: { type: 'number' },
              downloadKbps: { type: 'number' },
              uploadKbps: { type: 'number' },
            },
          },
          cpuSlowdown: { description: '4 is four times slower.', type: 'number' },
          extraHeaders: {
            description: 'Sent with every request.',
            type: 'object',
            additionalProperties: { type: 'string' },
          },
          geolocation: {
            description: 'Needs the permission geolocation too.',
            type: 'object',
            properties: {
              latitude: { type: 'number' },
              longitude: { type: 'number' },
              accuracy: { type: 'number' },
            },
            required: ['latitude', 'longitude'],
          },
          permissions: {
            description: 'Those granted; all others are not.',
            type: 'array',
            items: { type: 'string' },
          },
          offline: { type: 'boolean' },
          httpCredentials: {
            type: 'object',
            properties: {
              origin: { type: 'string', description: 'The only one they are sent to.' },
              username: { type: 'string' },
              password: { type: 'string' },
            },
            required: ['origin', 'username', 'password'],
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'emulate',
    effects: ['read', 'script', 'config'],
    argumentPacks: {},
    listing: {
      name: 'browser_route',
      description: 'Block, answer or change requests of this session by their address.',
      effect: 'config',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            default: 'list',
            description: 'clear: one id, or all.',
            type: 'string',
            enum: ['list', 'add', 'clear'],
          },
          id: { type: 'string' },
          kind: { type: 'string', enum: ['block', 'fulfil', 'modify'] },
          pattern: { description: 'Glob such as **/*.png.', type: 'string' },
          status: { default: 200, description: 'fulfil: of the answer.', type: 'integer' },
          contentType: {
            default: 'text/plain',
            description: 'fulfil: of the answer.',
            type: 'string',
          },
          body: { default: '', description: 'fulfil: of the answer.', type: 'string' },
          headers: {
            description: 'fulfil: of the answer; modify: of the request, null removes.',
            type: 'object',
            additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          },
          method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] },
          postData: { description: 'modify: the new body.', type: 'string' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'emulate',
    effects: ['read', 'config'],
    argumentPacks: {},
    listing: {
      name: 'browser_viewport',
      description: 'Get or set the size of a page in CSS pixels.',
      effect: 'config',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            description: 'Default: set where a size is given.',
            type: 'string',
            enum: ['get', 'set'],
          },
          width: { description: 'Clamped to 320 to 7680.', type: 'number' },
          height: { description: 'Clamped to 320 to 7680.', type: 'number' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'files',
    effects: ['read', 'config'],
    argumentPacks: {},
    listing: {
      name: 'browser_artifacts',
      description: 'List the files that tools have made in your sessions, or read one in parts.',
      effect: 'config',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            default: 'list',
            description: 'A pinned one never makes room for others.',
            type: 'string',
            enum: ['list', 'read', 'pin', 'unpin'],
          },
          name: { description: 'File name or oriel:// address.', type: 'string' },
          offset: { default: 0, description: 'First byte.', type: 'integer' },
          length: { default: 65536, description: 'Most bytes.', type: 'integer' },
          session: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'files',
    effects: ['read'],
    argumentPacks: {},
    listing: {
      name: 'browser_dom',
      description: 'Get the HTML of the page or of an element, for what browser_read leaves out.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          target: { type: 'string' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    pack: 'files',
    effects: ['read', 'disk'],
    argumentPacks: {},
    listing: {
      name: 'browser_downloads',
      description: 'List what pages have downloaded, wait for it, save a copy, or delete it.',
      effect: 'disk',
      inputSchema: {
        type: 'object',
        properties: {
          action: { default: 'list', type: 'string', enum: ['list', 'wait', 'save', 'delete'] },
          id: { description: 'Such as d1; for wait: all, or the next.', type: 'string' },
          path: { description: 'Where to save, in the workspace.', type: 'string' },
          overwrite: { description: 'Replace a file that is there.', type: 'boolean' },
          session: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'files',
    effects: ['disk'],
    argumentPacks: {},
    listing: {
      name: 'browser_pdf',
      description: 'Print the page to a PDF file.',
      effect: 'disk',
      inputSchema: {
        type: 'object',
        properties: {
          paper: {
            default: 'A4',
            type: 'string',
            enum: ['A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'],
          },
          landscape: { type: 'boolean' },
          background: {
            default: true,
            description: 'Print colours and pictures behind text.',
            type: 'boolean',
          },
          ranges: { description: 'Such as 1-3, 5; default all.', type: 'string' },
          margin: { default: '10mm', type: 'string' },
          scale: { default: 1, type: 'number' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'files',
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_upload',
      description:
        'Give files to a file field, to a button that asks for some, or to an open chooser.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          target: { type: 'string' },
          paths: {
            type: 'array',
            items: { type: 'string' },
            description: 'Files of the workspace or the session; none empties the field.',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['paths'],
      },
    },
  },
  {
    pack: 'observe',
    effects: ['read'],
    argumentPacks: {},
    listing: {
      name: 'browser_assert',
      description:
        'Check conditions on address, elements, text, console and network; all must hold, each is reported.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          conditions: {
            anyOf: [
              {
                oneOf: [
                  {
                    type: 'object',
                    properties: {
                      kind: { type: 'string', const: 'url' },
                      equals: { type: 'string', minLength: 1, maxLength: 2000 },
                      contains: { type: 'string', minLength: 1, maxLength: 2000 },
                      matches: {
                        description: 'Regular expression.',
                        type: 'string',
                        minLength: 1,
                        maxLength: 2000,
                      },
                    },
                    required: ['kind'],
                    additionalProperties: false,
                  },
                  {
                    type: 'object',
                    properties: {
                      kind: { type: 'string', const: 'element' },
                      target: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 2000,
                        description: 'Ref or selector.',
                      },
                      state: {
                        type: 'string',
                        enum: [
                          'visible',
                          'hidden',
                          'enabled',
                          'disabled',
                          'checked',
                          'unchecked',
                          'editable',
                          'readonly',
                          'focused',
                        ],
                      },
                      count: {
                        description: 'How many match.',
                        type: 'integer',
                        minimum: 0,
                        maximum: 100000,
                      },
                      attribute: {
                        description: 'Attribute that must be there.',
                        type: 'string',
                        minLength: 1,
                        maxLength: 200,
                      },
                      value: {
                        description: 'Value of the attribute, or of the field without one.',
                        type: 'string',
                        maxLength: 10000,
                      },
                    },
                    required: ['kind', 'target'],
                    additionalProperties: false,
                  },
                  {
                    type: 'object',
                    properties: {
                      kind: { type: 'string', const: 'text' },
                      contains: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 2000,
                        description: 'Text of the page.',
                      },
                      absent: { description: 'true: it must not be there.', type: 'boolean' },
                    },
                    required: ['kind', 'contains'],
                    additionalProperties: false,
                  },
                  {
                    type: 'object',
                    properties: {
                      kind: { type: 'string', const: 'console' },
                      level: { type: 'string', enum: ['error', 'warning', 'info', 'debug'] },
                      contains: { type: 'string', minLength: 1, maxLength: 2000 },
                      absent: { description: 'true: it must not be there.', type: 'boolean' },
                    },
                    required: ['kind'],
                    additionalProperties: false,
                  },
                  {
                    type: 'object',
                    properties: {
                      kind: { type: 'string', const: 'network' },
                      containsUrl: { type: 'string', minLength: 1, maxLength: 2000 },
                      method: { type: 'string', minLength: 1, maxLength: 20 },
                      status: { type: 'integer', minimum: 100, maximum: 599 },
                      absent: { description: 'true: it must not be there.', type: 'boolean' },
                    },
                    required: ['kind', 'containsUrl'],
                    additionalProperties: false,
                  },
                ],
              },
              {
                type: 'array',
                items: {
                  oneOf: [
                    {
                      type: 'object',
                      properties: {
                        kind: { type: 'string', const: 'url' },
                        equals: { type: 'string', minLength: 1, maxLength: 2000 },
                        contains: { type: 'string', minLength: 1, maxLength: 2000 },
                        matches: {
                          description: 'Regular expression.',
                          type: 'string',
                          minLength: 1,
                          maxLength: 2000,
                        },
                      },
                      required: ['kind'],
                      additionalProperties: false,
                    },
                    {
                      type: 'object',
                      properties: {
                        kind: { type: 'string', const: 'element' },
                        target: {
                          type: 'string',
                          minLength: 1,
                          maxLength: 2000,
                          description: 'Ref or selector.',
                        },
                        state: {
                          type: 'string',
                          enum: [
                            'visible',
                            'hidden',
                            'enabled',
                            'disabled',
                            'checked',
                            'unchecked',
                            'editable',
                            'readonly',
                            'focused',
                          ],
                        },
                        count: {
                          description: 'How many match.',
                          type: 'integer',
                          minimum: 0,
                          maximum: 100000,
                        },
                        attribute: {
                          description: 'Attribute that must be there.',
                          type: 'string',
                          minLength: 1,
                          maxLength: 200,
                        },
                        value: {
                          description: 'Value of the attribute, or of the field without one.',
                          type: 'string',
                          maxLength: 10000,
                        },
                      },
                      required: ['kind', 'target'],
                      additionalProperties: false,
                    },
                    {
                      type: 'object',
                      properties: {
                        kind: { type: 'string', const: 'text' },
                        contains: {
                          type: 'string',
                          minLength: 1,
                          maxLength: 2000,
                          description: 'Text of the page.',
                        },
                        absent: { description: 'true: it must not be there.', type: 'boolean' },
                      },
                      required: ['kind', 'contains'],
                      additionalProperties: false,
                    },
                    {
                      type: 'object',
                      properties: {
                        kind: { type: 'string', const: 'console' },
                        level: { type: 'string', enum: ['error', 'warning', 'info', 'debug'] },
                        contains: { type: 'string', minLength: 1, maxLength: 2000 },
                        absent: { description: 'true: it must not be there.', type: 'boolean' },
                      },
                      required: ['kind'],
                      additionalProperties: false,
                    },
                    {
                      type: 'object',
                      properties: {
                        kind: { type: 'string', const: 'network' },
                        containsUrl: { type: 'string', minLength: 1, maxLength: 2000 },
                        method: { type: 'string', minLength: 1, maxLength: 20 },
                        status: { type: 'integer', minimum: 100, maximum: 599 },
                        absent: { description: 'true: it must not be there.', type: 'boolean' },
                      },
                      required: ['kind', 'containsUrl'],
                      additionalProperties: false,
                    },
                  ],
                },
              },
            ],
            description: 'One condition, or 1 to 32.',
          },
          waitMs: {
            default: 0,
            description: 'Check again for this long, until all hold.',
            type: 'integer',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
        required: ['conditions'],
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    pack: 'observe',
    effects: ['read'],
    argumentPacks: {},
    listing: {
      name: 'browser_audit',
      description:
        'Check the accessibility of the page by axe-core; names the elements that offend.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          only: {
            description: 'Tags (wcag2aa) or rules (color-contrast); all without.',
            type: 'array',
            items: { type: 'string' },
          },
          maxElements: {
            default: 5,
            description: 'Most elements told of one rule.',
            type: 'integer',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    pack: 'observe',
    effects: ['read'],
    argumentPacks: {},
    listing: {
      name: 'browser_console',
      description: 'Read what the page wrote to its console, its uncaught errors, and its dialogs.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          level: { description: 'Such as error,warning; info is log too.', type: 'string' },
          contains: { description: 'Text within the entry.', type: 'string' },
          limit: {
            default: 50,
            description: 'Most entries; the newest are kept.',
            type: 'integer',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    pack: 'observe',
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_coverage',
      description: 'Measure how many bytes of the scripts and styles of the page are not used.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            default: 'reload',
            description: 'Measure one load; or start, act on the page, and stop.',
            type: 'string',
            enum: ['reload', 'start', 'stop'],
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
      },
    },
  },
  {
    pack: 'observe',
    effects: ['read'],
    argumentPacks: {},
    listing: {
      name: 'browser_evidence',
      description:
        'Collect the raw evidence of one kind: the whole console, network or snapshot, as JSON.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          kind: {
            type: 'string',
            enum: ['console', 'network', 'snapshot'],
            description: 'What to collect.',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
        required: ['kind'],
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    pack: 'observe',
    effects: ['disk'],
    argumentPacks: {},
    listing: {
      name: 'browser_har',
      description: 'Record the requests of the session as a HAR file, secrets hidden.',
      effect: 'disk',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: ['start', 'stop'],
            description: 'Begin, or end and keep the file.',
          },
          bodies: { description: 'With what was answered.', type: 'boolean' },
          urlFilter: { description: 'Glob of the addresses to keep.', type: 'string' },
          session: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
        required: ['action'],
      },
    },
  },
  {
    pack: 'emulate',
    effects: ['read', 'script'],
    argumentPacks: {},
    listing: {
      name: 'browser_init_script',
      description: 'Have script run in every document of the session before the document’s own.',
      effect: 'script',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            default: 'add',
            description: 'What to do.',
            type: 'string',
            enum: ['add', 'list', 'clear'],
          },
          script: { description: 'For add: the script.', type: 'string' },
          id: { description: 'For clear: one of them; all without.', type: 'string' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'observe',
    effects: ['read'],
    argumentPacks: {},
    listing: {
      name: 'browser_network',
      description:
        'List the requests of the page, or see one in full with headers, timing and bodies.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          containsUrl: { description: 'Text within the address.', type: 'string' },
          status: { description: '404, 4xx, failed or pending.', type: 'string' },
          method: { description: 'Such as POST.', type: 'string' },
          resourceType: { description: 'document, script, fetch, xhr, image, …', type: 'string' },
          limit: {
            default: 50,
            description: 'Most requests; the newest are kept.',
            type: 'integer',
          },
          id: { description: 'One request in full, such as r12.', type: 'string' },
          maxBytes: {
            default: 8192,
            description: 'With id: most bytes of the body shown.',
            type: 'integer',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    pack: 'observe',
    effects: ['read'],
    argumentPacks: {},
    listing: {
      name: 'browser_performance',
      description:
        'Measure how the page loaded: timing, paint, Web Vitals, resources, long tasks, heap.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    pack: 'observe',
    effects: ['disk'],
    argumentPacks: {},
    listing: {
      name: 'browser_trace',
      description: 'Record everything that happens in the session as a Playwright trace file.',
      effect: 'disk',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: ['start', 'stop'],
            description: 'Begin, or end and keep the file.',
          },
          snapshots: {
            default: true,
            description: 'With the DOM before and after each action.',
            type: 'boolean',
          },
          screenshots: {
            default: true,
            description: 'With pictures along the way.',
            type: 'boolean',
          },
          session: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
        required: ['action'],
      },
    },
  },
  {
    pack: 'observe',
    effects: ['disk'],
    argumentPacks: {},
    listing: {
      name: 'browser_video',
      description: 'Film the page: a Motion JPEG video in an AVI file.',
      effect: 'disk',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: ['start', 'stop'],
            description: 'Begin, or end and keep the file.',
          },
          fps: { default: 10, description: 'Most pictures a second.', type: 'integer' },
          width: { default: 1280, description: 'Largest width in pixels.', type: 'integer' },
          height: { default: 720, description: 'Largest height in pixels.', type: 'integer' },
          maxSeconds: { default: 300, description: 'Ends by itself after this.', type: 'integer' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
        required: ['action'],
      },
    },
  },
  {
    effects: ['read', 'act', 'script', 'disk', 'config'],
    argumentPacks: {},
    listing: {
      name: 'browser_batch',
      description:
        'Run several page tools in one call, in order; stops when one fails or the page unexpectedly goes elsewhere.',
      effect: 'config',
      inputSchema: {
        type: 'object',
        properties: {
          steps: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                tool: { type: 'string' },
                input: { type: 'object' },
                expect: {
                  type: 'object',
                  properties: {
                    url: { type: 'string' },
                    text: { type: 'string' },
                    element: { type: 'string' },
                    value: { type: 'string' },
                  },
                },
              },
              required: ['tool'],
            },
            description: 'All on one page; `expect` must hold after its step.',
          },
          stopOnError: {
            default: true,
            description: 'false: go on after a step that failed.',
            type: 'boolean',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['steps'],
      },
    },
  },
  {
    effects: ['script'],
    argumentPacks: {},
    listing: {
      name: 'browser_evaluate',
      description: 'Run JavaScript in the page, for what no other tool can do.',
      effect: 'script',
      inputSchema: {
        type: 'object',
        properties: {
          function: {
            type: 'string',
            description:
              'Expression, or function such as () => document.title; gets the target, then arg.',
          },
          target: { type: 'string' },
          arg: { description: 'JSON value handed to the function.' },
          maxBytes: {
            default: 65536,
            description: 'Most bytes of the result; the rest goes to a file.',
            type: 'integer',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['function'],
      },
    },
  },
  {
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_navigate',
      description:
        'Open an address, or go back, forward or reload; answers with the page that came.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          url: { description: 'Address; http:// is added where none is given.', type: 'string' },
          history: {
            description: 'Instead of url.',
            type: 'string',
            enum: ['back', 'forward', 'reload'],
          },
          waitUntil: {
            default: 'domcontentloaded',
            description: 'State to wait for.',
            type: 'string',
            enum: ['commit', 'domcontentloaded', 'load'],
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
      },
    },
  },
  {
    effects: ['read'],
    argumentPacks: {},
    listing: {
      name: 'browser_read',
      description:
        'Read the text, markdown or links of the page or of an element, for content not controls.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          format: {
            default: 'text',
            description: 'What to read.',
            type: 'string',
            enum: ['text', 'markdown', 'links'],
          },
          target: { type: 'string' },
          maxChars: { default: 10000, description: 'Most characters.', type: 'integer' },
          limit: { default: 50, description: 'Most links.', type: 'integer' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    effects: ['read'],
    argumentPacks: {
      clip: 'files',
      format: 'files',
      quality: 'files',
      scale: 'files',
      labels: 'files',
      keep: 'files',
    },
    listing: {
      name: 'browser_screenshot',
      description: 'Take a picture of the page or an element, for what snapshots cannot tell.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          target: { type: 'string' },
          fullPage: { description: 'Beyond the viewport.', type: 'boolean' },
          clip: {
            description: 'A part of it, in CSS pixels.',
            type: 'object',
            properties: {
              x: { type: 'number' },
              y: { type: 'number' },
              width: { type: 'number' },
              height: { type: 'number' },
            },
            required: ['x', 'y', 'width', 'height'],
          },
          format: {
            default: 'png',
            description: 'Of the file.',
            type: 'string',
            enum: ['png', 'jpeg', 'webp'],
          },
          quality: { description: 'For jpeg and webp.', type: 'integer' },
          scale: { default: 1, description: 'Size of the picture.', type: 'number' },
          labels: { description: 'Draw the refs of what can be acted on.', type: 'boolean' },
          keep: { default: true, description: 'Store it as a file.', type: 'boolean' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_scroll',
      description: 'Scroll the page or an element by pixels, or an element into view.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          direction: {
            description: 'Without it, target is brought into view.',
            type: 'string',
            enum: ['up', 'down', 'left', 'right'],
          },
          pixels: { default: 600, description: 'How far.', type: 'integer' },
          target: { type: 'string' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
      },
    },
  },
  {
    effects: ['read'],
    argumentPacks: { boxes: 'files', depth: 'files' },
    listing: {
      name: 'browser_snapshot',
      description:
        'See the page as text, with a ref for all that can be acted on; search or open parts.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          query: { description: 'Words or /regex/, over the whole page.', type: 'string' },
          target: { type: 'string' },
          expand: { description: 'Handle of what was left out: r3.', type: 'string' },
          interactive: { description: 'Controls only.', type: 'boolean' },
          full: { description: 'Everything; over the answer limit it is a file.', type: 'boolean' },
          boxes: { description: 'With boxes in pixels.', type: 'boolean' },
          depth: { description: 'Levels of nesting.', type: 'integer' },
          format: {
            default: 'lens',
            description: "aria: Playwright's ARIA snapshot.",
            type: 'string',
            enum: ['lens', 'aria'],
          },
          budget: { description: 'Most characters.', type: 'integer' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
      annotations: { readOnlyHint: true },
    },
  },
  {
    effects: ['read', 'act'],
    argumentPacks: {},
    listing: {
      name: 'browser_tabs',
      description: 'List, open, select, close or label the pages of this session.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            default: 'list',
            description: 'What to do; `label` names a page.',
            type: 'string',
            enum: ['list', 'new', 'select', 'close', 'label'],
          },
          url: { description: 'Address of a new page.', type: 'string' },
          label: {
            description: 'Name for the page, used wherever a page is asked for.',
            type: 'string',
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    effects: ['read', 'script'],
    argumentPacks: {},
    listing: {
      name: 'browser_wait',
      description:
        'Wait until text appears or goes, an element shows, the address matches, the page has loaded or its network rests, or time passes.',
      effect: 'script',
      inputSchema: {
        type: 'object',
        properties: {
          text: { description: 'Text that must be visible.', type: 'string' },
          textGone: { description: 'Text that must be gone.', type: 'string' },
          selector: { description: 'Selector that must be visible.', type: 'string' },
          url: { description: 'Glob, or /regex/, of the address.', type: 'string' },
          loadState: {
            description: 'State the page must reach; networkidle: no request for 500 ms.',
            type: 'string',
            enum: ['domcontentloaded', 'load', 'networkidle'],
          },
          timeMs: { description: 'Just wait, at most 30,000.', type: 'integer' },
          function: { description: 'Script that must become true.', type: 'string' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'pointer',
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_drag',
      description: 'Drag one element onto another.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          from: { type: 'string', description: 'Ref such as e12, or a selector' },
          to: { type: 'string', description: 'Ref such as e12, or a selector' },
          steps: { default: 8, description: 'Moves between the two.', type: 'integer' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['from', 'to'],
      },
    },
  },
  {
    pack: 'pointer',
    effects: ['act'],
    argumentPacks: {},
    listing: {
      name: 'browser_mouse',
      description: 'Move, press, click or turn the wheel of the mouse at viewport coordinates.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: ['move', 'click', 'dblclick', 'rightclick', 'down', 'up', 'wheel'],
            description: 'What the mouse does.',
          },
          x: { type: 'number', description: 'CSS pixels from the left.' },
          y: { type: 'number', description: 'CSS pixels from the top.' },
          deltaX: { default: 0, description: 'Wheel, to the right.', type: 'number' },
          deltaY: { default: 0, description: 'Wheel, downwards.', type: 'number' },
          button: {
            default: 'left',
            description: 'Button.',
            type: 'string',
            enum: ['left', 'right', 'middle'],
          },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
          snapshot: { type: 'boolean' },
        },
        required: ['action', 'x', 'y'],
      },
    },
  },
  {
    effects: ['read', 'act'],
    argumentPacks: {},
    listing: {
      name: 'browser_session',
      description: 'See, make or end sessions; each has cookies, storage and pages of its own.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            default: 'status',
            description: '`new` answers with the handle to pass as `session`.',
            type: 'string',
            enum: ['status', 'list', 'new', 'restrict', 'close'],
          },
          name: { description: 'Name for a new session, for lists.', type: 'string' },
          parent: {
            description: 'For new: session whose pages and logins it shares.',
            type: 'string',
          },
          network: {
            description: 'Narrower network policy, such as {"allowlist": ["example.com"]}.',
            type: 'object',
          },
          session: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'storage',
    effects: ['read', 'act'],
    argumentPacks: {},
    listing: {
      name: 'browser_cookies',
      description:
        'Get, set or clear cookies of this session; values only of cookies asked for by name.',
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          action: { default: 'get', type: 'string', enum: ['get', 'set', 'clear'] },
          name: { description: 'Get and clear: only this one.', type: 'string' },
          domain: { description: 'With its subdomains.', type: 'string' },
          path: { description: 'set: default /.', type: 'string' },
          value: { type: 'string' },
          expires: { description: 'Unix seconds; default with the session.', type: 'number' },
          httpOnly: { type: 'boolean' },
          secure: { type: 'boolean' },
          sameSite: { default: 'Lax', type: 'string', enum: ['Strict', 'Lax', 'None'] },
          partitionKey: { type: 'string' },
          session: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
  {
    pack: 'storage',
    effects: ['act', 'disk'],
    argumentPacks: {},
    listing: {
      name: 'browser_storage_state',
      description:
        "Save this session's logins (cookies and storage) to a file, or load such a file.",
      effect: 'disk',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: ['export', 'import'],
            description: 'import replaces all that the session has.',
          },
          path: {
            description: "In the workspace; default storage-state.json in the session's folder.",
            type: 'string',
          },
          indexedDB: { description: 'export: databases too.', type: 'boolean' },
          overwrite: { description: 'export: replace a file that is there.', type: 'boolean' },
          session: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
        required: ['action'],
      },
    },
  },
  {
    pack: 'storage',
    effects: ['read', 'act'],
    argumentPacks: {},
    listing: {
      name: 'browser_storage',
      description:
        "Get, set or clear an origin's local or session storage, or its IndexedDB databases.",
      effect: 'act',
      inputSchema: {
        type: 'object',
        properties: {
          area: { default: 'local', type: 'string', enum: ['local', 'session', 'indexeddb'] },
          action: {
            default: 'keys',
            description: 'clear: one, or all.',
            type: 'string',
            enum: ['keys', 'get', 'set', 'clear'],
          },
          key: { description: 'For indexeddb the database.', type: 'string' },
          value: { type: 'string' },
          origin: { description: "Default the page's; one that is open.", type: 'string' },
          session: { type: 'string' },
          page: { type: 'string' },
          timeoutMs: { type: 'integer' },
        },
      },
    },
  },
];
