/**
 * Loads ajv when it is first needed, in the dialect asked for. Nothing outside this folder sees ajv.
 */

import { createRequire } from 'node:module';
import type { Ajv as Ajv7, Options } from 'ajv';
import type { Ajv2019 } from 'ajv/dist/2019.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';

export type AnyAjv = Ajv7 | Ajv2019 | Ajv2020;
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

const require = createRequire(import.meta.url);

/** A fresh validator that knows the formats of ajv-formats, date-time and time strictly. */
export function newAjv(dialect: Dialect, options: Options): AnyAjv {
  const ajv = construct(dialect, options);
  const { default: addFormats } = require('ajv-formats') as { default: FormatsPlugin };
  addFormats(ajv as Ajv7);
  // ajv-formats also takes a space for the T, and offsets without a colon; RFC 3339 does not.
  tighten(ajv, 'date-time', /^[^ ]{10}[Tt][^ ]+(?:[Zz]|[+-]\d\d:\d\d)$/);
  tighten(ajv, 'time', /(?:[Zz]|[+-]\d\d:\d\d)$/);
  return ajv;
}

function construct(dialect: Dialect, options: Options): AnyAjv {
  if (dialect === '2020-12') {
    const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
    return new Ajv2020(options);
  }
  if (dialect === '2019-09') {
    const { Ajv2019 } = require('ajv/dist/2019.js') as typeof import('ajv/dist/2019.js');
    return new Ajv2019(options);
  }
  const { Ajv } = require('ajv') as typeof import('ajv');
  return new Ajv(options);
}

function tighten(ajv: AnyAjv, name: string, also: RegExp): void {
  const loose = ajv.formats[name];
  if (typeof loose !== 'object' || loose instanceof RegExp || typeof loose.validate !== 'function') return;
  const validate = loose.validate as (text: string) => boolean;
  ajv.addFormat(name, { validate: (text: string) => also.test(text) && validate(text) });
}
