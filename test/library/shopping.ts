/** A call that a scripted model makes next, from the last thing it read. */
export interface Step {
  readonly tool: string;
  readonly input: (lastAnswer: string) => Record<string, unknown>;
}

const step = (tool: string, input: Step['input']): Step => ({ tool: `browser_${tool}`, input });

/** The ref that the snapshot in `answer` gives to the element that `pattern` describes. */
function refOf(answer: string, pattern: RegExp): string {
  const line = answer.split('\n').find((candidate) => pattern.test(candidate));
  const ref = line && /\[ref=(\w+)\]/.exec(line)?.[1];
  if (!ref) throw new Error(`The model sees no ${pattern} in:\n${answer}`);
  return ref;
}

/** What a model does that is told to buy a lamp: it goes by what it reads, as a model would. */
export function shoppingSteps(shopUrl: string): readonly Step[] {
  return [
    step('navigate', () => ({ url: shopUrl })),
    step('type', (seen) => ({ ref: refOf(seen, /searchbox/), text: 'lamp', submit: true })),
    step('snapshot', () => ({})),
    step('click', (seen) => ({ target: refOf(seen, /link "Bay Lamp"/) })),
    step('snapshot', () => ({})),
    step('click', (seen) => ({ target: refOf(seen, /button "Add to cart"/) })),
    step('wait', () => ({ selector: '#cart-count:has-text("1")' })),
    step('click', () => ({ target: 'e9999' })),
    step('navigate', () => ({ url: new URL('/checkout', shopUrl).href })),
    step('fill', (seen) => ({
      fields: [
        { target: refOf(seen, /textbox "Full name"/), value: 'Ada Lovelace' },
        { target: refOf(seen, /textbox "E-mail"/), value: 'ada@example.com' },
        { target: refOf(seen, /textbox "Postcode"/), value: 'D02' },
        { target: refOf(seen, /combobox "Country"/), value: 'Ireland' },
        { target: 'css=[name=speed][value=express]', value: true },
        { target: 'label=Delivery date', value: '2099-01-02' },
        { target: 'css=[name=terms]', value: true },
      ],
    })),
    step('click', () => ({ target: 'role=button[name="Review and place order"]' })),
    step('screenshot', () => ({})),
    step('click', () => ({ target: 'role=button[name="Place order"]' })),
    step('wait', () => ({ text: 'Thank you, Ada Lovelace' })),
  ];
}
