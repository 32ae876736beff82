/** Encodes the text between tags. */
export type TextEncoder = (text: string) => string

const ENTITIES: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#x27;',
  '/': '&#x2F;',
}

/** Leaves text as it is. */
export const plainText: TextEncoder = text => text

/** Writes what HTML would take for markup as entities. */
export const htmlText: TextEncoder = text =>
  text.replaceAll(/["&<>'/]/g, char => ENTITIES[char] ?? char)
