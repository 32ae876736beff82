/** The configurations of notifications: documents of a system index, secrets in them sealed. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { seal } from '../../util/sealed-text.ts'
import { Secret } from '../../util/secret.ts'
import { type Found, type Kept, SystemIndex } from '../system-index.ts'
import { type Config, type ConfigDocument, HIDDEN_VALUE, type TypeObjects } from './config.ts'
import { CONFIG_MAPPINGS, type ConfigList, configSearch } from './config-query.ts'
import { type ConfigRequest, statusError } from './parse-config.ts'
import { notificationKey, unsealed } from './sealed-keys.ts'

const INDEX = '.opensearch-notifications-config'

/** A configuration that was found. */
export type KeptConfig = Kept<ConfigDocument>

/** Keeps configurations. */
export class ConfigStore {
  readonly #engine: EngineApi
  readonly #index: SystemIndex<ConfigDocument>
  #key: Uint8Array | null = null

  constructor(engine: EngineApi) {
    this.#engine = engine
    this.#index = new SystemIndex(engine, INDEX, CONFIG_MAPPINGS)
  }

  /**
   * Makes a configuration; durable when it resolves.
   * @returns its id
   * @throws {EngineError} 409 `version_conflict_engine_exception`: there is one of that id; parts of a
   *   mail channel that are missing or of another type
   */
  async create({ id, config }: ConfigRequest): Promise<string> {
    await this.#checkParts(config)
    const now = Date.now()
    const document = this.#sealed(config, null)
    const times = { last_updated_time_ms: now, created_time_ms: now }
    const outcome = await this.#index.put(id, { ...times, config: document }, 'create')
    return outcome.id
  }

  /**
   * Changes a configuration whole; durable when it resolves.
   * @throws {EngineError} `status_exception`: 404, missing; 409, of another type; as `create`
   */
  async update(id: string, config: Config): Promise<void> {
    await this.#checkParts(config)
    const before = await this.#index.get(id)
    if (before === null) throw statusError(404, `NotificationConfig ${id} not found`)
    if (before.config.config_type !== config.config_type)
      throw statusError(409, 'Config type cannot be changed after creation')
    const document = this.#sealed(config, before.config)
    const times = {
      last_updated_time_ms: Date.now(),
      created_time_ms: before.created_time_ms,
    }
    await this.#index.put(id, { ...times, config: document }, 'index')
  }

  /** A configuration; null: there is none of that id. */
  async find(id: string): Promise<KeptConfig | null> {
    const source = await this.#index.get(id)
    return source === null ? null : { id, source }
  }

  /**
   * Configurations by their ids, in that order.
   * @param isList how the ids were given, for the error
   * @throws {EngineError} 404 `status_exception`: one is missing
   */
  async get(ids: readonly string[], isList: boolean): Promise<readonly KeptConfig[]> {
    const found = await this.#findAll(ids)
    if (found.length < ids.length) throw missing(ids, isList)
    return found
  }

  /**
   * Deletes configurations, all or none.
   * @throws {EngineError} 404 `status_exception`: one is missing
   */
  async delete(ids: readonly string[], isList: boolean): Promise<void> {
    await this.get(ids, isList)
    for (const id of ids) await this.#index.delete(id, 'true')
  }

  /**
   * Those that pass all filters.
   * @throws {EngineError} `status_exception` 406, the error of a query
   */
  list(list: ConfigList): Promise<Found<ConfigDocument>> {
    return this.#index.search(configSearch(list))
  }

  /** A webhook's headers as they are sent. They never leave the deliveries. */
  revealedHeaders({ header_params }: TypeObjects['webhook']): Readonly<Record<string, string>> {
    const revealed = Object.entries(header_params).map(
      ([name, sealed]) =>
        [name, unsealed(this.#secretKey(), sealed, `the header [${name}]`).reveal()] as const,
    )
    return Object.fromEntries(revealed)
  }

  /** A configuration with its secrets sealed. */
  #sealed(config: Config, before: Config | null): Config {
    const { webhook } = config
    if (webhook === undefined) return config
    const kept = new Map(Object.entries(before?.webhook?.header_params ?? {}))
    const header_params = Object.fromEntries(
      Object.entries(webhook.header_params).map(([name, value]) => {
        const sealed = value === HIDDEN_VALUE ? kept.get(name) : undefined
        return [name, sealed ?? seal(this.#secretKey(), new Secret(value))]
      }),
    )
    return { ...config, webhook: { ...webhook, header_params } }
  }

  #secretKey(): Uint8Array {
    this.#key ??= notificationKey(this.#engine.cluster.nodeInfo().folder)
    return this.#key
  }

  /** Checks that the account and the groups of a mail channel are there, and what they should be. */
  async #checkParts({ email }: Config): Promise<void> {
    if (email === undefined) return
    const { email_account_id: account, email_group_id_list: groups } = email
    if (groups.includes(account))
      throw new IllegalArgumentError(
        `Config IDs ${account} is in both emailAccountID and emailGroupIds`,
      )
    const ids = [account, ...groups]
    const found = await this.#findAll(ids)
    const absent = ids.filter(id => found.every(config => config.id !== id))
    if (absent.length > 0) throw statusError(404, `Config IDs not found:[${absent.join(',')}]`)
    for (const { id, source } of found) {
      const type = source.config.config_type
      const isAccount = type === 'smtp_account' || type === 'mail_a_account'
      const isGroup = type === 'email_group'
      if (!isAccount && !isGroup)
        throw statusError(406, `configId ${id} is not a valid email group ID or email account ID`)
      if (id === account && !isAccount)
        throw statusError(406, `configId ${id} is not a valid email account ID`)
      if (id !== account && !isGroup)
        throw statusError(406, `configId ${id} is not a valid email group ID`)
    }
  }

  async #findAll(ids: readonly string[]): Promise<readonly KeptConfig[]> {
    const found = await Promise.all([...new Set(ids)].map(id => this.find(id)))
    return found.filter(config => config !== null)
  }
}

/** A configuration as it is shown. */
export function shownConfig(config: Config): Config {
  const { webhook } = config
  if (webhook === undefined) return config
  const names = Object.keys(webhook.header_params)
  const header_params = Object.fromEntries(names.map(name => [name, HIDDEN_VALUE]))
  return { ...config, webhook: { ...webhook, header_params } }
}

function missing(ids: readonly string[], isList: boolean): Error {
  const names = isList ? `[${ids.join(', ')}]` : ids.join('')
  return statusError(404, `NotificationConfig ${names} not found`)
}
