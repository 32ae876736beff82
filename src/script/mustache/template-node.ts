/** A mustache template as it was parsed. */

/** A part of a template. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  /** A value; `isRaw` as the braces say. */
  | { readonly kind: 'variable'; readonly name: string; readonly isRaw: boolean }
  /** Once for each item of a list, once within a map, once for another value that holds. */
  | { readonly kind: 'section'; readonly name: string; readonly inner: readonly TemplateNode[] }
  /** Once where there is no value, or one that does not hold. */
  | { readonly kind: 'inverted'; readonly name: string; readonly inner: readonly TemplateNode[] }
  /** The value of a name as JSON. */
  | { readonly kind: 'toJson'; readonly name: string }
  /** The items of a list with a text between them. */
  | { readonly kind: 'join'; readonly name: string; readonly delimiter: string }
  /** Its parts, each encoded for a URL. */
  | { readonly kind: 'url'; readonly inner: readonly TemplateNode[] }
