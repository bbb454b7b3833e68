export interface Product {
  readonly slug: string;
  readonly name: string;
  readonly category: string;
  readonly priceCents: number;
  readonly stock: number;
  readonly summary: string;
  readonly details: readonly string[];
}

export const PRODUCTS: readonly Product[] = [
  {
    slug: 'bay-lamp',
    name: 'Bay Lamp',
    category: 'Light',
    priceCents: 8900,
    stock: 14,
    summary: 'A table lamp with a linen shade that throws a soft, even circle.',
    details: ['Linen and turned ash', 'Dimmer in the cord', '41 cm tall'],
  },
  {
    slug: 'harbour-mug',
    name: 'Harbour Mug',
    category: 'Kitchen',
    priceCents: 1650,
    stock: 120,
    summary: 'Stoneware with a wide handle, made for mornings by the window.',
    details: ['Holds 350 ml', 'Reactive blue glaze', 'Dishwasher safe'],
  },
  {
    slug: 'sill-planter',
    name: 'Sill Planter',
    category: 'Garden',
    priceCents: 2400,
    stock: 36,
    summary: 'A slim planter that fits the narrowest sill and keeps it dry.',
    details: ['Glazed inside', 'Cork feet', '32 × 11 cm'],
  },
  {
    slug: 'field-notebook',
    name: 'Field Notebook',
    category: 'Desk',
    priceCents: 1200,
    stock: 240,
    summary: 'Stitched pages that lie flat, with a cloth spine and a ribbon.',
    details: ['160 dotted pages', 'Recycled paper, 90 g', 'A5'],
  },
  {
    slug: 'copper-kettle',
    name: 'Copper Kettle',
    category: 'Kitchen',
    priceCents: 11200,
    stock: 8,
    summary: 'Boils a litre in four minutes and sings when it is done.',
    details: ['Solid copper, tin lined', 'Gas and electric', '1.2 litres'],
  },
  {
    slug: 'wool-throw',
    name: 'Wool Throw',
    category: 'Textile',
    priceCents: 13500,
    stock: 21,
    summary: 'Lambswool woven in a quiet check, heavy enough for winter.',
    details: ['100% lambswool', '140 × 190 cm', 'Fringed by hand'],
  },
  {
    slug: 'station-clock',
    name: 'Station Clock',
    category: 'Desk',
    priceCents: 7600,
    stock: 17,
    summary: 'A silent sweep movement behind a face you can read from the door.',
    details: ['28 cm across', 'Silent movement', 'One AA cell'],
  },
  {
    slug: 'beeswax-candle',
    name: 'Beeswax Candle',
    category: 'Light',
    priceCents: 1900,
    stock: 90,
    summary: 'Pure beeswax in a heavy glass, with a cotton wick.',
    details: ['Burns 45 hours', 'Unscented', 'Refill at any Oriel counter'],
  },
  {
    slug: 'ash-stool',
    name: 'Ash Stool',
    category: 'Furniture',
    priceCents: 14900,
    stock: 5,
    summary: 'Three legs, so it never rocks; a seat that remembers its tree.',
    details: ['Solid ash, oiled', '45 cm high', 'Carries 150 kg'],
  },
  {
    slug: 'bud-vase',
    name: 'Bud Vase',
    category: 'Garden',
    priceCents: 2150,
    stock: 64,
    summary: 'Hand blown, for one good stem.',
    details: ['Recycled glass', '18 cm tall', 'Each a little different'],
  },
  {
    slug: 'reading-tray',
    name: 'Reading Tray',
    category: 'Furniture',
    priceCents: 5800,
    stock: 0,
    summary: 'A lap tray with a book ledge and a place for tea.',
    details: ['Birch ply', 'Wipes clean', '46 × 32 cm'],
  },
  {
    slug: 'linen-apron',
    name: 'Linen Apron',
    category: 'Textile',
    priceCents: 4200,
    stock: 33,
    summary: 'Washed linen with a deep pocket and crossed straps.',
    details: ['Stone-washed', 'One size', 'Nothing to tie'],
  },
];

export function findProduct(slug: string): Product | undefined {
  return PRODUCTS.find((product) => product.slug === slug);
}

/** Products whose name, category or summary holds every word of `query`, in catalogue order. */
export function searchProducts(query: string): readonly Product[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return PRODUCTS.filter((product) => {
    const text = `${product.name} ${product.category} ${product.summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** `8900` as `€89.00`. */
export function formatPrice(cents: number): string {
  return `€${(cents / 100).toFixed(2)}`;
}
