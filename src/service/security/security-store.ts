import type { KeptState } from '../../engine/api/kept-state.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { CorruptSegmentError, UnsupportedFormatError } from '../../util/errors.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  isObject,
  NO_DOCUMENTS,
  type PlainJson,
  type SecurityDocument,
  type SecurityDocuments,
} from './security-document.ts'
import { STATIC_DOCUMENTS } from './static-documents.ts'

/** Version of the stored form. */
const VERSION = 1

/**
 * The documents of a node, kept in one state that is replaced as a whole:
 *
 *   state := {"version": 1, kind: {name: document}}        without the static documents
 *
 * Example: {"version":1,"internalusers":{"ann":{"hash":"$scrypt$…","backend_roles":["admin"]}},"roles":{}}
 */
export class SecurityStore {
  readonly #state: KeptState
  #own: SecurityDocuments
  #all: SecurityDocuments
  #generation = 0

  /**
   * @throws {CorruptSegmentError} the state is damaged
   * @throws {UnsupportedFormatError} it is of a newer version
   */
  constructor(state: KeptState) {
    this.#state = state
    this.#own = state.body === null ? NO_DOCUMENTS : readDocuments(state.body)
    this.#all = withStatic(this.#own)
  }

  /** True as long as nobody made a user. */
  get isEmpty(): boolean {
    return this.#own.internalusers.size === 0
  }

  /** Every document, the static ones among them; replaced as a whole by each change. */
  get documents(): SecurityDocuments {
    return this.#all
  }

  /** Counts changes. */
  get generation(): number {
    return this.#generation
  }

  /**
   * Replaces the documents of a kind, durable when this returns; after a failure the old ones hold.
   * @param documents without static ones
   */
  replace(kind: DocumentKind, documents: ReadonlyMap<string, SecurityDocument>): void {
    const own = { ...this.#own, [kind]: documents }
    this.#state.write(
      writeJson({
        version: VERSION,
        ...Object.fromEntries(DOCUMENT_KINDS.map(each => [each, own[each]])),
      }),
    )
    this.#own = own
    this.#all = withStatic(own)
    this.#generation++
  }

  /** The documents of a kind without the static ones. */
  own(kind: DocumentKind): ReadonlyMap<string, SecurityDocument> {
    return this.#own[kind]
  }
}

function withStatic(own: SecurityDocuments): SecurityDocuments {
  const all = (kind: DocumentKind): ReadonlyMap<string, SecurityDocument> =>
    new Map([...own[kind], ...STATIC_DOCUMENTS[kind]])
  return {
    internalusers: all('internalusers'),
    roles: all('roles'),
    rolesmapping: all('rolesmapping'),
    actiongroups: all('actiongroups'),
    tenants: all('tenants'),
  }
}

function readDocuments(body: Uint8Array): SecurityDocuments {
  const state = JSON.parse(decodeUtf8(body)) as PlainJson
  if (!isObject(state)) throw new CorruptSegmentError('security', 0, 'an object', 'none')
  const version = Number(state['version'])
  if (version > VERSION) throw new UnsupportedFormatError('state', 'security', version, VERSION)
  const ofKind = (kind: DocumentKind): ReadonlyMap<string, SecurityDocument> => {
    const documents = state[kind]
    if (!isObject(documents)) return new Map()
    return new Map(
      Object.entries(documents).flatMap(([name, one]) => (isObject(one) ? [[name, one]] : [])),
    )
  }
  return {
    internalusers: ofKind('internalusers'),
    roles: ofKind('roles'),
    rolesmapping: ofKind('rolesmapping'),
    actiongroups: ofKind('actiongroups'),
    tenants: ofKind('tenants'),
  }
}
