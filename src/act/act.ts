import { capture } from './capture.ts';
import * as cookies from './cookies.ts';
import * as document from './document.ts';
import * as field from './field.ts';
import * as keyboard from './keyboard.ts';
import * as navigation from './navigate.ts';
import * as page from './page.ts';
import * as pointer from './pointer.ts';
import * as script from './script.ts';
import * as storageState from './storage-state.ts';
import * as upload from './upload.ts';
import * as translate from './translate.ts';
import * as wait from './wait.ts';
import * as webStorage from './web-storage.ts';

/**
 * What can be done to a page. Every verb ends with its signal, whatever the page does, and throws
 * an OrielError.
 */
export const act = {
  capture,
  ...cookies,
  ...document,
  ...field,
  ...keyboard,
  ...navigation,
  ...page,
  ...pointer,
  ...script,
  ...storageState,
  ...upload,
  ...translate,
  ...wait,
  ...webStorage,
};
export type Act = typeof act;
