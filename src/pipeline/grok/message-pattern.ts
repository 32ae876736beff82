/**
 * A message as its program prints it, as a pattern. Names in braces stand for the parts that change: `{a part}` is
 * what a table has under that name, `{#field}` a number, `{field}` anything. A part in `<` and `>` may be
 * missing; `»` is a `>` of the message itself. A field at the end takes all that is left.
 */
export function messagePattern(text: string, parts: Readonly<Record<string, string>>): string {
  return text
    .replace(/[.()[\]|?*+]/g, '\\$&')
    .replaceAll('<', '(?:')
    .replaceAll('>', ')?')
    .replaceAll('»', '>')
    .replace(/\{([^}]+)\}/g, (whole, name: string, at: number, all: string) => {
      if (Object.hasOwn(parts, name)) return parts[name]!
      if (name.startsWith('#')) return `%{INT:${name.slice(1)}}`
      return at + whole.length === all.length ? `%{GREEDYDATA:${name}}` : `%{DATA:${name}}`
    })
}
