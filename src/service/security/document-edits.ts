import type { Settings } from '../../schema/settings.ts'
import { EngineError } from '../../util/errors.ts'
import type { Authenticator } from './authenticator.ts'
import { completeDocument, formFault, resourceName } from './document-form.ts'
import { MaskRule, type MaskSettings } from './field-mask.ts'
import { FieldRule } from './field-rule.ts'
import { applyPatch, PatchError, readPatch } from './json-patch.ts'
import { hashPassword, isPasswordHash } from './password-hash.ts'
import { passwordFault } from './password-rules.ts'
import { fillVariables } from './query-variables.ts'
import { RolePattern } from './role-pattern.ts'
import {
  type DocumentKind,
  isObject,
  objectsOf,
  type PlainJson,
  type SecurityDocument,
  textOf,
  textsOf,
} from './security-document.ts'
import type { SecurityStore } from './security-store.ts'

/** Longest name of a document. */
const MAX_NAME = 1_024

/** The answer to an edit. */
export interface EditAnswer {
  readonly status: number
  readonly body: SecurityDocument
}

/** An edit that is refused, with its answer. */
class RefusedEdit extends Error {
  readonly answer: EditAnswer

  constructor(answer: EditAnswer) {
    super('refused')
    this.answer = answer
  }
}

/** Names of statuses, as answers write them. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'CREATED',
  400: 'BAD_REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
}

/** Reads and changes documents as the security API does, with its answers. */
export class DocumentEdits {
  readonly #store: SecurityStore
  readonly #authenticator: Authenticator
  readonly #settings: Settings

  readonly #masks: MaskSettings

  constructor(
    store: SecurityStore,
    authenticator: Authenticator,
    settings: Settings,
    masks: MaskSettings,
  ) {
    this.#masks = masks
    this.#store = store
    this.#authenticator = authenticator
    this.#settings = settings
  }

  /** Documents of a kind by name: one, or all for ''. No hash is shown. */
  show(kind: DocumentKind, name: string, isAdmin: boolean): EditAnswer {
    const all = this.#store.documents[kind]
    const found = name === '' ? [...all] : [...all].filter(([each]) => each === name)
    const visible = found.filter(([, document]) => isAdmin || document['hidden'] !== true)
    if (name !== '' && visible.length === 0)
      return found.length > 0
        ? answer(404, `Resource '${name}' is not available.`)
        : answer(404, `${resourceName(kind)} '${name}' not found.`)
    const shown = visible.map(([each, document]) => [each, withoutHash(kind, document)] as const)
    return { status: 200, body: Object.fromEntries(shown) }
  }

  /** Makes a document or replaces it. */
  put(kind: DocumentKind, name: string, body: PlainJson, isAdmin: boolean): Promise<EditAnswer> {
    return answered(async () => {
      checkName(kind, name)
      checkForm(kind, body, isAdmin)
      const document = await this.#hashed(kind, name, body as SecurityDocument)
      // From here on in one turn: what was read is what is replaced.
      this.#checkChangeable(kind, name, isAdmin)
      this.#checkContent(kind, name, document)
      const own = this.#store.own(kind)
      const before = own.get(name)
      const complete = completeDocument(kind, this.#withOldHash(kind, name, document, before))
      this.#write(kind, new Map(own).set(name, withFlags(complete, document)))
      return before === undefined
        ? answer(201, `'${name}' created.`)
        : answer(200, `'${name}' updated.`)
    })
  }

  /** Deletes a document. */
  delete(kind: DocumentKind, name: string, isAdmin: boolean): Promise<EditAnswer> {
    return answered(async () => {
      this.#checkChangeable(kind, name, isAdmin)
      const own = new Map(this.#store.own(kind))
      if (!own.delete(name)) throw refused(404, `${resourceName(kind)} '${name}' not found.`)
      this.#write(kind, own)
      return answer(200, `'${name}' deleted.`)
    })
  }

  /** Changes one document, or for '' several, by a patch. */
  patch(kind: DocumentKind, name: string, body: PlainJson, isAdmin: boolean): Promise<EditAnswer> {
    return answered(async () => {
      const operations = readPatch(body)
      if (name !== '') {
        this.#checkChangeable(kind, name, isAdmin)
        if (!this.#store.own(kind).has(name))
          throw refused(404, `${resourceName(kind)} '${name}' not found.`)
      }
      const before = this.#store.documents[kind]
      const { generation } = this.#store
      const found: PlainJson = name === '' ? Object.fromEntries(before) : (before.get(name) ?? null)
      const patched = applyPatch(found, operations)
      const after: PlainJson = name === '' ? patched : { [name]: patched }
      if (!isObject(after)) throw new PatchError('Wrong request body')
      const changed = await this.#changes(kind, before, after, name, isAdmin)
      if (changed.size === 0) return answer(200, 'No updates required')
      if (generation !== this.#store.generation)
        throw refused(409, 'The documents were changed while this change was read.')
      const own = new Map(this.#store.own(kind))
      for (const [each, document] of changed)
        if (document === null) own.delete(each)
        else own.set(each, document)
      this.#write(kind, own)
      return name === '' ? answer(200, 'Resource updated.') : answer(200, `'${name}' updated.`)
    })
  }

  /** Changes the password of the caller. */
  changePassword(name: string, body: PlainJson): Promise<EditAnswer> {
    return answered(async () => {
      const given = isObject(body) ? body : {}
      const keys = Object.keys(given)
      const invalid = keys.filter(key => !['hash', 'password', 'current_password'].includes(key))
      const current = textOf(given['current_password'])
      if (keys.length === 0) throw fault('Request body required for this action.', {})
      if (invalid.length > 0 || !keys.includes('current_password'))
        throw fault('Invalid configuration', {
          ...(invalid.length > 0 ? { invalid_keys: { keys: invalid.sort().join(',') } } : {}),
          ...(keys.includes('current_password')
            ? {}
            : { missing_mandatory_keys: { keys: 'current_password' } }),
        })
      const wrong = keys.filter(key => typeof given[key] !== 'string')
      if (wrong.length > 0)
        throw fault(
          'Wrong datatype',
          Object.fromEntries(wrong.map(key => [key, 'String expected'])),
        )
      if (!this.#store.own('internalusers').has(name))
        throw refused(404, `user '${name}' not found.`)
      this.#checkChangeable('internalusers', name, false)
      if (!(await this.#authenticator.isPasswordOf(name, current ?? '')))
        throw refused(400, 'Could not validate your current password.')
      if ((textOf(given['password']) ?? '') === '' && (textOf(given['hash']) ?? '') === '')
        throw refused(400, 'Both provided password and hash cannot be null/empty.')
      const { password, hash } = given
      const asked: SecurityDocument = {
        ...(password === undefined ? {} : { password }),
        ...(hash === undefined ? {} : { hash }),
      }
      const { hash: made } = await this.#hashed('internalusers', name, asked)
      const own = this.#store.own('internalusers')
      const user = own.get(name)
      if (user === undefined) throw refused(404, `user '${name}' not found.`)
      this.#write('internalusers', new Map(own).set(name, { ...user, hash: made ?? '' }))
      return answer(200, `'${name}' updated.`)
    })
  }

  /** Has logins checked anew: all, or those of a user. */
  forgetLogins(name?: string): EditAnswer {
    this.#authenticator.forget(name)
    return answer(
      200,
      name === undefined ? 'Cache flushed successfully.' : `Cache invalidated for user: ${name}`,
    )
  }

  /** Documents that a patch changes, by name; null: it is deleted. */
  async #changes(
    kind: DocumentKind,
    before: ReadonlyMap<string, SecurityDocument>,
    after: SecurityDocument,
    only: string,
    isAdmin: boolean,
  ): Promise<ReadonlyMap<string, SecurityDocument | null>> {
    const changed = new Map<string, SecurityDocument | null>()
    const names = only === '' ? [...new Set([...before.keys(), ...Object.keys(after)])] : [only]
    for (const name of names) {
      const [old, now] = [before.get(name), after[name]]
      if (JSON.stringify(old) === JSON.stringify(now)) continue
      checkName(kind, name)
      this.#checkChangeable(kind, name, isAdmin)
      if (now === undefined) {
        changed.set(name, null)
        continue
      }
      const flaw = formFault(kind, now, true)
      if (flaw !== null) throw fault(flaw.reason, flaw.details)
      const given = now as SecurityDocument
      const flags = ['reserved', 'hidden', 'static'].filter(
        flag => (given[flag] ?? false) !== (old?.[flag] ?? false),
      )
      if (flags.length > 0 && !(isAdmin && !flags.includes('static')))
        throw fault('Invalid configuration', { invalid_keys: { keys: flags.join(',') } })
      const document = await this.#hashed(kind, name, given)
      this.#checkContent(kind, name, document)
      const complete = completeDocument(kind, this.#withOldHash(kind, name, document, old))
      changed.set(name, withFlags(complete, document))
    }
    return changed
  }

  /** A user with the hash of the password that it was given with. */
  async #hashed(
    kind: DocumentKind,
    name: string,
    document: SecurityDocument,
  ): Promise<SecurityDocument> {
    if (kind !== 'internalusers') return document
    const { password, ...others } = document
    const given = textOf(password)
    if (given === null) {
      const hash = textOf(others['hash']) ?? ''
      if (hash !== '' && !isPasswordHash(hash))
        throw refused(400, 'The hash is of no kind that is read here: use scrypt or bcrypt.')
      return others
    }
    const flaw = passwordFault(name, given, this.#settings)
    if (flaw !== null) throw fault(flaw, {})
    return { ...others, hash: await hashPassword(given) }
  }

  /** A user that is changed without a password keeps his. */
  #withOldHash(
    kind: DocumentKind,
    name: string,
    document: SecurityDocument,
    before: SecurityDocument | undefined,
  ): SecurityDocument {
    if (kind !== 'internalusers' || (textOf(document['hash']) ?? '') !== '') return document
    const old = textOf(before?.['hash'])
    if (before === undefined || old === null)
      throw refused(
        400,
        before === undefined
          ? "Please specify either 'hash' or 'password' when creating a new internal user."
          : `Existing user ${name} has no password, and no new password or hash was specified.`,
      )
    return { ...document, hash: old }
  }

  /** What a document of its kind may not hold, beside its form. */
  #checkContent(kind: DocumentKind, name: string, document: SecurityDocument): void {
    const { roles } = this.#store.documents
    if (kind === 'internalusers') {
      if (name.includes(':'))
        throw refused(
          400,
          "A restricted character(s) was detected in the account name. Please remove: ':'",
        )
      for (const role of textsOf(document['opendistro_security_roles'])) {
        const found = roles.get(role)
        if (found === undefined) throw refused(404, `role '${role}' not found.`)
        if (found['hidden'] === true) throw refused(404, `Resource '${role}' is not available.`)
      }
    }
    if (kind === 'roles') checkRole(document, this.#masks)
    if (kind === 'rolesmapping') {
      for (const key of ['hosts', 'users', 'backend_roles', 'and_backend_roles'])
        checkPatterns(textsOf(document[key]))
      const role = roles.get(name)
      if (role === undefined) throw refused(404, `role '${name}' not found.`)
      if (role['hidden'] === true) throw refused(404, `Resource '${name}' is not available.`)
    }
    if (kind === 'actiongroups') {
      const type = textOf(document['type'])
      if (roles.has(name))
        throw refused(
          400,
          `${name} is an existing role. A action group cannot be named with an existing role name.`,
        )
      if (type !== null && !['cluster', 'index'].includes(type.toLowerCase()))
        throw refused(
          400,
          `Invalid action group type: ${type}. Supported types are: cluster, index.`,
        )
      if (textsOf(document['allowed_actions']).includes(name))
        throw refused(400, `${name} cannot be an allowed_action of itself`)
    }
  }

  /** Static documents are nobody's to change; reserved and hidden ones are the administrator's. */
  #checkChangeable(kind: DocumentKind, name: string, isAdmin: boolean): void {
    const document = this.#store.documents[kind].get(name)
    if (document === undefined) return
    if (document['hidden'] === true && !isAdmin)
      throw refused(404, `Resource '${name}' is not available.`)
    if (document['static'] === true) throw refused(403, `Resource '${name}' is static.`)
    if (document['reserved'] === true && !isAdmin)
      throw refused(403, `Resource '${name}' is reserved.`)
  }

  #write(kind: DocumentKind, documents: ReadonlyMap<string, SecurityDocument>): void {
    this.#store.replace(kind, documents)
    this.#authenticator.forget()
  }
}

/** Refuses a role with a part that roles cannot hold. */
function checkRole(role: SecurityDocument, masks: MaskSettings): void {
  checkPatterns(textsOf(role['cluster_permissions']))
  for (const permission of objectsOf(role['index_permissions']))
    checkIndexPermission(permission, masks)
  for (const permission of objectsOf(role['tenant_permissions']))
    checkPatterns(textsOf(permission['tenant_patterns']))
}

function checkIndexPermission(permission: SecurityDocument, masks: MaskSettings): void {
  checkDocumentQuery(textOf(permission['dls']) ?? '')
  checkPatterns(textsOf(permission['index_patterns']))
  checkPatterns(textsOf(permission['allowed_actions']))
  const fields = textsOf(permission['fls'])
  if (fields.length > 0) checked(() => new FieldRule(fields))
  checked(() => new MaskRule(textsOf(permission['masked_fields']), masks))
}

function checkPatterns(patterns: readonly string[]): void {
  for (const pattern of patterns) checked(() => new RolePattern(pattern))
}

/** Refuses what cannot be made. */
function checked(make: () => unknown): void {
  try {
    make()
  } catch (error) {
    if (error instanceof EngineError) throw refused(400, error.message)
    throw error
  }
}

/** A query with names of the user in it, which any text may stand for. */
function checkDocumentQuery(query: string): void {
  if (query.trim() === '') return
  // A value that may stand within a text and alone.
  const filled = fillVariables(query, () => '0')
  try {
    if (filled !== null && isObject(JSON.parse(filled) as PlainJson)) return
  } catch {
    // Told as what is no object is.
  }
  throw refused(400, `[dls] must be a query in JSON, found [${query}]`)
}

/** Runs an edit; a refusal is its answer. */
async function answered(edit: () => Promise<EditAnswer>): Promise<EditAnswer> {
  try {
    return await edit()
  } catch (error) {
    if (error instanceof RefusedEdit) return error.answer
    if (error instanceof PatchError) return answer(400, error.message)
    throw error
  }
}

function checkName(kind: DocumentKind, name: string): void {
  const resource = resourceName(kind)
  if (name === '') throw refused(400, `No ${resource} specified.`)
  if (name.length > MAX_NAME)
    throw refused(400, `${resource} name exceeds maximum length of ${MAX_NAME}.`)
}

function checkForm(kind: DocumentKind, body: PlainJson, isAdmin: boolean): void {
  const flags = ['reserved', 'hidden']
  const checked =
    isAdmin && isObject(body)
      ? Object.fromEntries(Object.entries(body).filter(([key]) => !flags.includes(key)))
      : body
  const flaw = formFault(kind, checked, false)
  if (flaw !== null) throw fault(flaw.reason, flaw.details)
}

/** A complete document with the flags that it was given with. */
function withFlags(complete: SecurityDocument, given: SecurityDocument): SecurityDocument {
  return {
    ...complete,
    reserved: given['reserved'] === true,
    hidden: given['hidden'] === true,
  }
}

/** A user as it is shown: with an empty hash, ahead of all. */
function withoutHash(kind: DocumentKind, document: SecurityDocument): SecurityDocument {
  if (kind !== 'internalusers') return document
  return {
    hash: '',
    ...Object.fromEntries(Object.entries(document).filter(([key]) => key !== 'hash')),
  }
}

function answer(status: number, message: string): EditAnswer {
  return { status, body: { status: STATUS_NAMES[status] ?? 'CONFLICT', message } }
}

function refused(status: number, message: string): RefusedEdit {
  return new RefusedEdit(answer(status, message))
}

function fault(reason: string, details: SecurityDocument): RefusedEdit {
  return new RefusedEdit({ status: 400, body: { status: 'error', reason, ...details } })
}
