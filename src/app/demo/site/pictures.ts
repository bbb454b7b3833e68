import { trusted, type Html } from './html.ts';

interface Picture {
  readonly ground: string;
  readonly drawing: string;
}

const PICTURES: Readonly<Record<string, Picture>> = {
  'bay-lamp': {
    ground: '#f3e3c8',
    drawing: `<circle cx="100" cy="74" r="58" fill="#fff6de"/>
      <path d="M72 42h56l20 52H52z" fill="#e0a34a"/><path d="M72 42h18l-12 52H52z" fill="#eebd6d"/>
      <rect x="96" y="94" width="8" height="44" fill="#7a5638"/>
      <path d="M70 152c0-9 13-15 30-15s30 6 30 15z" fill="#5f412a"/>`,
  },
  'harbour-mug': {
    ground: '#d7e6ea',
    drawing: `<path d="M128 76h14c16 0 16 42-8 42h-10v-12h8c10 0 10-18 4-18h-8z" fill="#255a6e"/>
      <path d="M60 62h72v56c0 16-10 26-26 26H86c-16 0-26-10-26-26z" fill="#2f7088"/>
      <path d="M60 62h72v18c-18 10-28-6-42 4-12 8-22 0-30-2z" fill="#8cc3d0"/>
      <ellipse cx="96" cy="62" rx="36" ry="8" fill="#4a2f20"/>
      <path d="M84 48c-6-8 6-12 0-20M106 48c-6-8 6-12 0-20" stroke="#ffffff" stroke-width="4" fill="none" stroke-linecap="round"/>`,
  },
  'sill-planter': {
    ground: '#dfe9d8',
    drawing: `<path d="M100 110c-4-30-30-40-44-40 0 24 18 40 44 40z" fill="#4f8a57"/>
      <path d="M100 110c4-34 30-48 46-48 0 28-20 48-46 48z" fill="#6aa86b"/>
      <path d="M98 112c-8-30-2-54 8-70 12 20 10 48-2 70z" fill="#3c7350"/>
      <path d="M42 108h116l-10 40H52z" fill="#c96f4a"/><rect x="38" y="102" width="124" height="14" rx="4" fill="#dd8a62"/>`,
  },
  'field-notebook': {
    ground: '#e6e0ee',
    drawing: `<rect x="62" y="38" width="84" height="118" rx="6" fill="#f8f4ea" transform="rotate(5 104 97)"/>
      <rect x="54" y="36" width="86" height="120" rx="6" fill="#4b4f86"/><rect x="54" y="36" width="18" height="120" rx="6" fill="#33376a"/>
      <rect x="84" y="62" width="42" height="22" rx="3" fill="#f3ead2"/>
      <path d="M116 156v18l-6-6-6 6v-18z" fill="#d5574b"/>`,
  },
  'copper-kettle': {
    ground: '#f2ddd0',
    drawing: `<path d="M62 80c0-44 76-44 76 0" stroke="#4a3328" stroke-width="9" fill="none"/>
      <path d="M50 112l-24-26 8-8 26 18z" fill="#a75a33"/>
      <path d="M48 124c0-30 22-48 52-48s52 18 52 48c0 14-8 24-20 24H68c-12 0-20-10-20-24z" fill="#c8733f"/>
      <path d="M60 118c2-18 14-30 32-32-12 10-18 26-16 44-8 4-18 0-16-12z" fill="#e29b68"/>
      <rect x="80" y="68" width="40" height="10" rx="5" fill="#8c4a29"/><circle cx="100" cy="62" r="7" fill="#4a3328"/>`,
  },
  'wool-throw': {
    ground: '#e9e2d6',
    drawing: `<rect x="40" y="116" width="120" height="36" rx="16" fill="#5d6d5a"/><rect x="40" y="86" width="120" height="36" rx="16" fill="#7f8f7a"/>
      <rect x="40" y="56" width="120" height="36" rx="16" fill="#97a690"/>
      <path d="M66 56v36M72 86v36M66 116v36M100 56v36M106 86v36M100 116v36M134 56v36M140 86v36" stroke="#e9e2d6" stroke-width="5" stroke-opacity=".55"/>
      <path d="M44 68h112M44 98h112M44 128h112" stroke="#e9e2d6" stroke-width="3" stroke-opacity=".45"/>
      <path d="M128 148v16M138 148v16M148 146v16" stroke="#5d6d5a" stroke-width="4" stroke-linecap="round"/>`,
  },
  'station-clock': {
    ground: '#dbe2ec',
    drawing: `<circle cx="100" cy="98" r="60" fill="#20304a"/><circle cx="100" cy="98" r="50" fill="#fbfaf5"/>
      <path d="M100 54v10M100 132v10M56 98h10M134 98h10" stroke="#20304a" stroke-width="6" stroke-linecap="round"/>
      <path d="M100 98V68M100 98l22 12" stroke="#20304a" stroke-width="7" stroke-linecap="round"/>
      <path d="M100 98l-18 28" stroke="#d5574b" stroke-width="3" stroke-linecap="round"/><circle cx="100" cy="98" r="5" fill="#d5574b"/>`,
  },
  'beeswax-candle': {
    ground: '#f5ead0',
    drawing: `<circle cx="100" cy="62" r="44" fill="#fff7df"/>
      <path d="M100 34c14 18 14 34 0 38-14-4-14-20 0-38z" fill="#f0a53a"/><path d="M100 50c6 8 6 18 0 20-6-2-6-12 0-20z" fill="#fff1b8"/>
      <rect x="98" y="70" width="4" height="16" fill="#5a4634"/>
      <rect x="66" y="84" width="68" height="70" rx="10" fill="#ddb35a"/><rect x="60" y="78" width="80" height="80" rx="12" fill="#ffffff" fill-opacity=".38"/>
      <rect x="76" y="108" width="48" height="26" rx="3" fill="#fffaf0"/>`,
  },
  'ash-stool': {
    ground: '#ece3d9',
    drawing: `<path d="M66 76l-18 82h12l24-82zM134 76l18 82h-12l-24-82zM94 78h12l-2 84h-8z" fill="#b98d5f"/>
      <path d="M62 122h76v8H60z" fill="#a27748"/>
      <ellipse cx="100" cy="74" rx="56" ry="16" fill="#a27748"/><ellipse cx="100" cy="68" rx="56" ry="16" fill="#d9b48a"/>
      <path d="M64 66c20-8 52-8 72 0M76 72c14 4 34 4 48 0" stroke="#bf956a" stroke-width="3" fill="none"/>`,
  },
  'bud-vase': {
    ground: '#dcebe6',
    drawing: `<path d="M100 92c-2-22 2-38 6-48" stroke="#4f8a57" stroke-width="4" fill="none"/>
      <circle cx="96" cy="38" r="10" fill="#e2798b"/><circle cx="116" cy="36" r="10" fill="#d75f78"/><circle cx="107" cy="26" r="10" fill="#ee97a4"/><circle cx="107" cy="38" r="6" fill="#f7d774"/>
      <path d="M102 68c12-2 20-10 22-20-14 0-22 8-22 20z" fill="#6aa86b"/>
      <path d="M90 78h20v26c0 10 24 16 24 40 0 12-14 16-34 16s-34-4-34-16c0-24 24-30 24-40z" fill="#6fb3a6" fill-opacity=".85"/>
      <path d="M80 136c2-10 10-14 14-22" stroke="#ffffff" stroke-width="5" stroke-linecap="round" fill="none"/>`,
  },
  'reading-tray': {
    ground: '#e4e6da',
    drawing: `<path d="M56 100h14l-8 54H50zM130 100h14l6 54h-12z" fill="#a27748"/>
      <path d="M34 92l18-22h96l18 22v14H34z" fill="#c99c69"/><path d="M34 92l18-22h96l18 22z" fill="#e2bd8f"/>
      <path d="M78 74l6-32 44 6-4 26z" fill="#fbf7ec"/><path d="M88 52l28 4M87 60l28 4" stroke="#b9b2a0" stroke-width="3"/>
      <ellipse cx="138" cy="82" rx="12" ry="6" fill="#2f7088"/>`,
  },
  'linen-apron': {
    ground: '#e8dfe0',
    drawing: `<path d="M78 52c0-28 44-28 44 0" stroke="#6c4b56" stroke-width="6" fill="none"/>
      <path d="M76 50h48c2 24 10 36 26 42v60H50V92c16-6 24-18 26-42z" fill="#b97f86"/>
      <path d="M76 50h48l2 14H74z" fill="#a4686f"/><path d="M76 106h48v26c0 8-6 12-12 12H88c-6 0-12-4-12-12z" fill="#a4686f"/>
      <path d="M100 106v38" stroke="#b97f86" stroke-width="3"/>`,
  },
};

/** The drawing of a product, labelled with `label`, or decorative when that is empty. */
export function pictureOf(slug: string, label: string): Html {
  const picture = PICTURES[slug];
  const role = label ? `role="img" aria-label="${label}"` : 'aria-hidden="true"';
  return trusted(
    `<svg class="picture" viewBox="0 0 200 190" ${role}>` +
      `<rect width="200" height="190" fill="${picture?.ground ?? '#e5e5e5'}"/>` +
      `<ellipse cx="100" cy="158" rx="64" ry="7" fill="#000" fill-opacity=".09"/>` +
      `${picture?.drawing ?? ''}</svg>`,
  );
}
