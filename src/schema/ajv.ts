/**
 * ajv in the dialect asked for. Nothing outside this folder sees ajv; the build puts it into one piece, as
 * its many small files would cost every start of a host 50 ms.
 */

import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type AnyAjv = Ajv | Ajv2019 | Ajv2020;
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

/** A fresh validator that knows the formats of ajv-formats, date-time and time strictly. */
export function newAjv(dialect: Dialect, options: Options): AnyAjv {
  const ajv = construct(dialect, options);
  addFormats.default(ajv as Ajv);
  // ajv-formats also takes a space for the T, and offsets without a colon; RFC 3339 does not.
  tighten(ajv, 'date-time', /^[^ ]{10}[Tt][^ ]+(?:[Zz]|[+-]\d\d:\d\d)$/);
  tighten(ajv, 'time', /(?:[Zz]|[+-]\d\d:\d\d)$/);
  return ajv;
}

function construct(dialect: Dialect, options: Options): AnyAjv {
  switch (dialect) {
    case '2020-12':
      return new Ajv2020(options);
    case '2019-09':
      return new Ajv2019(options);
    case 'draft-07':
      return new Ajv(options);
  }
}

function tighten(ajv: AnyAjv, name: string, also: RegExp): void {
  const loose = ajv.formats[name];
  if (typeof loose !== 'object' || loose instanceof RegExp || typeof loose.validate !== 'function') return;
  const validate = loose.validate as (text: string) => boolean;
  ajv.addFormat(name, { validate: (text: string) => also.test(text) && validate(text) });
}
