/** Shows JSON Schemas as people read them: a table a type, one row a member, limits in words. */

/** Schemas that the api's modules export under a name of their own: shown once, linked from elsewhere. */
export function namedTypes(modules) {
  const types = new Map();
  for (const exported of Object.values(modules)) {
    for (const [name, value] of Object.entries(exported)) {
      const isSchema = /^[A-Z]/.test(name) && value && typeof value === 'object' && !('method' in value);
      if (isSchema) types.set(JSON.stringify(value), { name, schema: value });
    }
  }
  return types;
}

export function typesSection(types) {
  const sorted = [...types.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const sections = sorted.map(({ name, schema }) => {
    const about = schema.description ? `${schema.description}\n\n` : '';
    return `### ${name}\n${about}${body(schema, types)}`;
  });
  return ['## Types', ...sections].join('\n\n');
}

/** Params or a result under its label. */
export function typeWords(label, schema, types) {
  const link = linkTo(schema, types);
  if (link) return `${label}: ${link}`;
  if (isEmpty(schema)) return `${label}: \`{}\``;
  if (schema.anyOf) return `${label}, one of:\n\n${body(schema, types)}`;
  return `${label}:\n\n${body(schema, types)}`;
}

function body(schema, types) {
  if (schema.anyOf && !schema.anyOf.every((one) => 'const' in one)) {
    return schema.anyOf.map((one) => variant(one, types)).join('\n\n');
  }
  return schema.properties ? table(schema, types) : `${inWords(schema, types)}.`;
}

function variant(schema, types) {
  const link = linkTo(schema, types);
  if (link) return `- ${link}`;
  const tags = Object.entries(schema.properties ?? {}).filter(([, member]) => 'const' in member);
  const tag = tags.map(([name, member]) => `\`${name}\`: \`${JSON.stringify(member.const)}\``).join(', ');
  const others = Object.keys(schema.properties ?? {}).length - tags.length;
  const head =
    tag ||
    Object.keys(schema.properties ?? {})
      .map((name) => `\`${name}\``)
      .join(', ');
  return others === 0
    ? `- ${head}`
    : `- ${head}\n\n${table(
        schema,
        types,
        tags.map(([name]) => name),
      )}`;
}

function table(schema, types, without = []) {
  const rows = membersOf(schema, '', types, without);
  return ['| member | type | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function membersOf(schema, prefix, types, without = []) {
  const required = new Set(schema.required);
  return Object.entries(schema.properties).flatMap(([name, member]) => {
    if (without.includes(name)) return [];
    const path = `${prefix}${name}`;
    const optional = required.has(name) ? '' : ' (optional)';
    const words = linkTo(member, types) ? '' : (member.description ?? member.items?.description ?? '');
    const row = `| \`${path}\`${optional} | ${cell(describe(member, types))} | ${cell(words)} |`;
    if (linkTo(member, types)) return [row];
    if (member.properties) return [row, ...membersOf(member, `${path}.`, types)];
    const inner = member.items;
    const isInline = inner?.properties && !linkTo(inner, types);
    return isInline ? [row, ...membersOf(inner, `${path}[].`, types)] : [row];
  });
}

/** A type in a few words. */
function describe(schema, types) {
  return linkTo(schema, types) ?? inWords(schema, types);
}

function inWords(schema, types) {
  if ('const' in schema) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.anyOf) return schema.anyOf.map((one) => describe(one, types)).join(' or ');
  switch (schema.type) {
    case 'string':
      if (schema.pattern) return `string matching \`${schema.pattern}\``;
      return `string${range(schema.minLength, schema.maxLength, 'character')}`;
    case 'integer':
    case 'number':
      return `${schema.type}${range(schema.minimum, schema.maximum)}`;
    case 'array':
      return `list of ${describe(schema.items, types)}${range(schema.minItems, schema.maxItems, 'item')}`;
    case 'object': {
      const [values] = Object.values(schema.patternProperties ?? {});
      return values ? `object of ${describe(values, types)} values` : 'object';
    }
    case undefined:
      return 'JSON';
    default:
      return schema.type;
  }
}

function range(least, most, noun = '') {
  const number = (n) => n.toLocaleString('en-US');
  const unit = noun && ` ${noun}${(most ?? least) === 1 ? '' : 's'}`;
  if (least !== undefined && most !== undefined) return `, ${number(least)} to ${number(most)}${unit}`;
  if (most !== undefined) return `, at most ${number(most)}${unit}`;
  return least === undefined ? '' : `, at least ${number(least)}${unit}`;
}

/** A link to the type's own section, if it has one; an optional member is a copy, so the text decides. */
function linkTo(schema, types) {
  const { name } = types.get(JSON.stringify(schema)) ?? {};
  return name && `[${name}](#${name.toLowerCase()})`;
}

function isEmpty(schema) {
  return schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0;
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
