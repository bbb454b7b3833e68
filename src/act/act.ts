import * as field from './field.ts';
import * as keyboard from './keyboard.ts';
import * as navigation from './navigate.ts';
import * as page from './page.ts';
import * as pointer from './pointer.ts';
import * as script from './script.ts';
import * as translate from './translate.ts';
import * as wait from './wait.ts';

/**
 * What can be done to a page. Every verb ends with its signal, whatever the page does, and throws
 * an OrielError.
 */
export const act = {
  ...field,
  ...keyboard,
  ...navigation,
  ...page,
  ...pointer,
  ...script,
  ...translate,
  ...wait,
};
export type Act = typeof act;
