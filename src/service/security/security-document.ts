/**
 * The documents that say who may do what: users, roles, their mappings, groups of actions, tenants. A
 * document is kept as the JSON object that the API shows, every key of its kind present and checked.
 */

/** A JSON value as `JSON.parse` makes it. */
export type PlainJson =
  | null
  | boolean
  | number
  | string
  | readonly PlainJson[]
  | { readonly [key: string]: PlainJson }

/** One document. */
export type SecurityDocument = { readonly [key: string]: PlainJson }

/** Kinds of documents, as paths of the API name them. */
export const DOCUMENT_KINDS = [
  'internalusers',
  'roles',
  'rolesmapping',
  'actiongroups',
  'tenants',
] as const

/** A name of the list. */
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** All documents of a node by kind and name. */
export type SecurityDocuments = Readonly<
  Record<DocumentKind, ReadonlyMap<string, SecurityDocument>>
>

/** No documents at all. */
export const NO_DOCUMENTS: SecurityDocuments = {
  internalusers: new Map(),
  roles: new Map(),
  rolesmapping: new Map(),
  actiongroups: new Map(),
  tenants: new Map(),
}

/** Whether a value is an object. */
export function isObject(value: PlainJson | undefined): value is SecurityDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The texts of a list; anything else is passed over. */
export function textsOf(value: PlainJson | undefined): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.filter((one): one is string => typeof one === 'string')
}

/** The objects of a list; anything else is passed over. */
export function objectsOf(value: PlainJson | undefined): readonly SecurityDocument[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A text; null for anything else. */
export function textOf(value: PlainJson | undefined): string | null {
  return typeof value === 'string' ? value : null
}
