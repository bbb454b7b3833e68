/** What the checkout form sends, by field name. Absent check boxes are absent here too. */
export type CheckoutValues = Readonly<Record<string, string>>;

export const SPEEDS = [
  { value: 'standard', name: 'Standard', note: '3 to 5 days, free' },
  { value: 'express', name: 'Express', note: 'Tomorrow, €8' },
  { value: 'collect', name: 'Collect', note: 'At the counter, free' },
] as const;

export const COUNTRIES = [
  'Austria',
  'Belgium',
  'France',
  'Germany',
  'Ireland',
  'Italy',
  'Norway',
  'Portugal',
  'Spain',
] as const;

export const EXPRESS_CENTS = 800;

/** The message of each field that has to be mended, shown by the page and by the server alike. */
export const MESSAGES = {
  name: 'Enter your full name.',
  email: 'Enter an e-mail address like name@example.com.',
  postcode: 'Enter a postcode of 3 to 10 letters, digits, spaces or dashes.',
  country: 'Choose a country.',
  date: 'Choose a delivery date from today on.',
  speed: 'Choose how the order reaches you.',
  terms: 'Accept the terms to place the order.',
} as const;

export type CheckedField = keyof typeof MESSAGES;
export type CheckoutErrors = Readonly<Partial<Record<CheckedField, string>>>;

export const POSTCODE_PATTERN = '[A-Za-z0-9 \\-]{3,10}';

/** What is wrong with `values`; empty when the order can be placed. `today` is `YYYY-MM-DD`. */
export function validateCheckout(values: CheckoutValues, today: string): CheckoutErrors {
  const isRight: Record<CheckedField, boolean> = {
    name: (values['name'] ?? '').trim().length >= 2,
    email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(values['email'] ?? ''),
    postcode: new RegExp(`^${POSTCODE_PATTERN}$`).test(values['postcode'] ?? ''),
    country: (COUNTRIES as readonly string[]).includes(values['country'] ?? ''),
    date: /^\d{4}-\d\d-\d\d$/.test(values['date'] ?? '') && (values['date'] ?? '') >= today,
    speed: SPEEDS.some((speed) => speed.value === values['speed']),
    terms: values['terms'] === 'yes',
  };
  const errors: Partial<Record<CheckedField, string>> = {};
  for (const field of Object.keys(MESSAGES) as CheckedField[]) {
    if (!isRight[field]) errors[field] = MESSAGES[field];
  }
  return errors;
}
