import {
  type DocumentKind,
  isObject,
  type PlainJson,
  type SecurityDocument,
} from './security-document.ts'

/** The type of a key's value. */
type KeyType = 'array' | 'object' | 'string'

/** What documents of a kind look like. */
interface DocumentForm {
  /** As errors call such a document. */
  readonly resource: string
  /** The keys that a caller may give, in print order. */
  readonly keys: Readonly<Record<string, KeyType>>
  /** Keys that a document may not be without. */
  readonly mandatory: readonly string[]
  /** Keys of which a document has at least one. */
  readonly oneOf: readonly string[]
  /** Keys of a list of objects, by the key of the list: each a list of texts, or a text. */
  readonly inner: Readonly<Record<string, Readonly<Record<string, 'array' | 'string'>>>>
}

/** By kind. */
const FORMS: Readonly<Record<DocumentKind, DocumentForm>> = {
  internalusers: {
    resource: 'user',
    keys: {
      hash: 'string',
      password: 'string',
      backend_roles: 'array',
      attributes: 'object',
      description: 'string',
      opendistro_security_roles: 'array',
    },
    mandatory: [],
    oneOf: [],
    inner: {},
  },
  roles: {
    resource: 'role',
    keys: {
      description: 'string',
      cluster_permissions: 'array',
      index_permissions: 'array',
      tenant_permissions: 'array',
    },
    mandatory: [],
    oneOf: [],
    inner: {
      index_permissions: {
        index_patterns: 'array',
        dls: 'string',
        fls: 'array',
        masked_fields: 'array',
        allowed_actions: 'array',
      },
      tenant_permissions: { tenant_patterns: 'array', allowed_actions: 'array' },
    },
  },
  rolesmapping: {
    resource: 'rolesmapping',
    keys: {
      hosts: 'array',
      users: 'array',
      backend_roles: 'array',
      and_backend_roles: 'array',
      description: 'string',
    },
    mandatory: [],
    oneOf: ['and_backend_roles', 'backend_roles', 'hosts', 'users'],
    inner: {},
  },
  actiongroups: {
    resource: 'actiongroup',
    keys: { allowed_actions: 'array', type: 'string', description: 'string' },
    mandatory: ['allowed_actions'],
    oneOf: [],
    inner: {},
  },
  tenants: {
    resource: 'tenant',
    keys: { description: 'string' },
    mandatory: [],
    oneOf: [],
    inner: {},
  },
}

/** Keys that every document shows and that only the server sets. */
const OWN_KEYS = new Set(['reserved', 'hidden', 'static'])

/** What is wrong with a document, as the answer says it: further keys beside `status` and `reason`. */
export interface FormFault {
  readonly reason: string
  readonly details: Readonly<Record<string, PlainJson>>
}

/** As errors call a document of a kind. */
export function resourceName(kind: DocumentKind): string {
  return FORMS[kind].resource
}

/**
 * Holds a document against the form of its kind.
 * @param shows whether it is one that was shown and changed, with the keys that only the server sets
 * @returns null: nothing is wrong
 */
export function formFault(
  kind: DocumentKind,
  document: PlainJson,
  shows: boolean,
): FormFault | null {
  const form = FORMS[kind]
  if (!isObject(document) || Object.keys(document).length === 0)
    return { reason: 'Request body required for this action.', details: {} }
  const names = Object.keys(document)
  const invalid = names.filter(
    name => !Object.hasOwn(form.keys, name) && !(shows && OWN_KEYS.has(name)),
  )
  const missing = form.mandatory.filter(name => !names.includes(name))
  const oneOf = form.oneOf.some(name => names.includes(name)) ? [] : form.oneOf
  if (invalid.length + missing.length + oneOf.length > 0)
    return {
      reason: 'Invalid configuration',
      details: {
        ...keysDetail('invalid_keys', invalid),
        ...keysDetail('missing_mandatory_keys', missing),
        ...keysDetail('specify_one_of', oneOf),
      },
    }
  const wrong = Object.fromEntries(
    names.flatMap(name => {
      const type = form.keys[name]
      return type === undefined || hasType(document[name]!, type)
        ? []
        : [[name, `${type[0]!.toUpperCase()}${type.slice(1)} expected`]]
    }),
  )
  if (Object.keys(wrong).length > 0) return { reason: 'Wrong datatype', details: wrong }
  return listFault(form, document)
}

/** What is wrong within the lists of a document. */
function listFault(form: DocumentForm, document: SecurityDocument): FormFault | null {
  for (const [name, type] of Object.entries(form.keys)) {
    const value = document[name]
    const inner = form.inner[name]
    if (type === 'object' && isObject(value)) {
      const isFine = Object.values(value).every(one => typeof one === 'string')
      if (!isFine)
        return { reason: 'Wrong datatype', details: { [name]: 'String values expected' } }
    }
    if (type !== 'array' || !Array.isArray(value)) continue
    if (value.some(one => one === null || (typeof one === 'string' && one.trim() === '')))
      return {
        reason: '`null` or blank values are not allowed as json array elements',
        details: {},
      }
    if (inner === undefined) {
      if (!value.every(one => typeof one === 'string'))
        return { reason: 'Wrong datatype', details: { [name]: 'Strings expected' } }
      continue
    }
    for (const one of value) {
      const fault = innerFault(name, inner, one)
      if (fault !== null) return fault
    }
  }
  return null
}

/** What is wrong with an object of a list. */
function innerFault(
  list: string,
  keys: Readonly<Record<string, 'array' | 'string'>>,
  value: PlainJson,
): FormFault | null {
  if (!isObject(value)) return { reason: 'Wrong datatype', details: { [list]: 'Objects expected' } }
  const invalid = Object.keys(value).filter(name => !Object.hasOwn(keys, name))
  if (invalid.length > 0)
    return { reason: 'Invalid configuration', details: keysDetail('invalid_keys', invalid) }
  for (const [name, type] of Object.entries(keys)) {
    const found = value[name]
    if (found === undefined || found === null) continue
    if (!hasType(found, type))
      return { reason: 'Wrong datatype', details: { [name]: `${type} expected` } }
    if (Array.isArray(found) && !found.every(one => typeof one === 'string' && one.trim() !== ''))
      return {
        reason: '`null` or blank values are not allowed as json array elements',
        details: {},
      }
  }
  return null
}

/**
 * A document with every key of its kind, in print order.
 * @param document that `formFault` has nothing against
 */
export function completeDocument(kind: DocumentKind, document: SecurityDocument): SecurityDocument {
  const { keys, inner } = FORMS[kind]
  const filled: Record<string, PlainJson> = { reserved: false, hidden: false }
  for (const [name, type] of Object.entries(keys)) {
    const value = document[name]
    if (type === 'string') {
      if (value !== undefined) filled[name] = value
    } else if (type === 'object') filled[name] = value ?? {}
    else filled[name] = filledList(value ?? [], inner[name])
  }
  filled['static'] = false
  return filled
}

function filledList(
  value: PlainJson,
  inner: Readonly<Record<string, 'array' | 'string'>> | undefined,
): PlainJson {
  if (inner === undefined || !Array.isArray(value)) return value
  return value.filter(isObject).map(one => {
    const filled: Record<string, PlainJson> = {}
    for (const [name, type] of Object.entries(inner)) {
      const found = one[name] ?? null
      if (type === 'array') filled[name] = found ?? []
      else if (found !== null && found !== '') filled[name] = found
    }
    return filled
  })
}

function hasType(value: PlainJson, type: KeyType): boolean {
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === 'string'
}

function keysDetail(name: string, keys: readonly string[]): Readonly<Record<string, PlainJson>> {
  return keys.length === 0 ? {} : { [name]: { keys: [...keys].sort().join(',') } }
}
