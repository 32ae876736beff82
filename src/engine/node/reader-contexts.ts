import { randomBytes } from 'node:crypto'
import type { Principal } from '../../task/access.ts'
import { type ContextKind, decodeContextId, encodeContextId, SESSION_BYTES } from './context-id.ts'

/** Whose a context is: users are told apart by their names. */
type Owner = Pick<Principal, 'name'>

/** Snapshots of shards that a context holds. */
export interface HeldReaders {
  /** Of which snapshots are held. */
  readonly shardCount: number
  /** Lets go of the shards of an index that closes or is deleted; later uses find them gone. */
  dropIndex(uuid: string): void
  /** Lets go of everything; called once. */
  release(): void
}

/** Snapshots that are held from one call to the next. */
export interface ReaderContext {
  readonly id: string
  readonly number: number
  readonly held: HeldReaders
  /** Milliseconds since 1970. */
  readonly createdAt: number
  keepAliveInMillis: number
}

/** Delays of timers are 32-bit integers. */
const MAX_DELAY = 2 ** 31 - 1

class OpenContext implements ReaderContext {
  readonly id: string
  readonly number: number
  readonly held: HeldReaders
  readonly principal: Owner
  readonly createdAt: number
  keepAliveInMillis: number
  /** When it was last used, milliseconds since 1970. */
  usedAt: number
  /** Calls that use it now: it does not expire, and is released after the last of them. */
  users = 0
  isFreed = false
  /** Indices that have gone while it was used, by uuid: their snapshots are read until the last use ends. */
  readonly gone: string[] = []

  constructor(
    id: string,
    number: number,
    held: HeldReaders,
    principal: Owner,
    now: number,
    keepAliveInMillis: number,
  ) {
    this.id = id
    this.number = number
    this.held = held
    this.principal = principal
    this.createdAt = now
    this.usedAt = now
    this.keepAliveInMillis = keepAliveInMillis
  }

  get expiresAt(): number {
    return this.users > 0 ? Number.POSITIVE_INFINITY : this.usedAt + this.keepAliveInMillis
  }
}

/**
 * The scrolls or the points in time of a node. A context ends when it is freed, when nobody has used it
 * for its keep-alive, when its indices are gone, or with the node.
 */
export class ReaderContexts {
  readonly #kind: ContextKind
  readonly #session = randomBytes(SESSION_BYTES)
  readonly #open = new Map<number, OpenContext>()
  readonly #now: () => number
  #next = 1
  #timer: NodeJS.Timeout | null = null

  /** @param now milliseconds since 1970 */
  constructor(kind: ContextKind, now: () => number = Date.now) {
    this.#kind = kind
    this.#now = now
  }

  /** Shards of which snapshots are held, as the limits count them. */
  get shardCount(): number {
    let count = 0
    for (const { held } of this.#open.values()) count += held.shardCount
    return count
  }

  /** Takes over snapshots; the context counts as used until `end`. */
  begin(held: HeldReaders, principal: Owner, keepAliveInMillis: number): ReaderContext {
    const number = this.#next++
    const id = encodeContextId(this.#kind, this.#session, number)
    const context = new OpenContext(id, number, held, principal, this.#now(), keepAliveInMillis)
    context.users = 1
    this.#open.set(number, context)
    return context
  }

  /**
   * The context of an id, which counts as used until `end`.
   * @returns its number where there is none any more; null: the text is no id
   */
  use(id: string, principal: Owner): ReaderContext | { readonly missing: number } | null {
    const decoded = this.#decode(id)
    if (decoded === null) return null
    const context = this.#find(decoded, principal)
    if (context === null) return { missing: decoded.number }
    context.users++
    return context
  }

  /** The context of an id for a look in this turn, which is no use; null: there is none any more. */
  look(id: string, principal: Owner): ReaderContext | null {
    const decoded = this.#decode(id)
    return decoded === null ? null : this.#find(decoded, principal)
  }

  /** The end of a use. */
  end(context: ReaderContext): void {
    const open = context as OpenContext
    open.users--
    open.usedAt = this.#now()
    if (open.users > 0) return
    if (open.isFreed) open.held.release()
    else this.#settle(open)
  }

  /**
   * Frees a context.
   * @returns how many shards it held, 0 where there is none; null: the text is no id
   */
  free(id: string, principal: Owner): number | null {
    const decoded = this.#decode(id)
    if (decoded === null) return null
    const context = this.#find(decoded, principal)
    return context === null ? 0 : this.#free(context)
  }

  /** Whether a text is an id, of this node or another. */
  isId(text: string): boolean {
    return this.#decode(text) !== null
  }

  /** The contexts of a principal, oldest first. */
  list(principal: Owner): ReaderContext[] {
    this.#expire()
    return [...this.#open.values()].filter(each => each.principal.name === principal.name)
  }

  /** Lets go of an index; a context without shards ends. */
  dropIndex(uuid: string): void {
    for (const context of [...this.#open.values()]) {
      context.gone.push(uuid)
      if (context.users === 0) this.#settle(context)
    }
  }

  /** Drops deleted indices from an idle context, and frees it when it is empty. */
  #settle(context: OpenContext): void {
    for (const uuid of context.gone.splice(0)) context.held.dropIndex(uuid)
    if (context.held.shardCount === 0) this.#free(context)
    else this.#arm()
  }

  /** Frees all, with the node. */
  close(): void {
    for (const context of [...this.#open.values()]) this.#free(context)
    this.#stopTimer()
  }

  #decode(id: string): { readonly number: number; readonly isOurs: boolean } | null {
    const decoded = decodeContextId(this.#kind, id)
    if (decoded === null) return null
    return { number: decoded.number, isOurs: this.#session.equals(decoded.session) }
  }

  #find(
    { number, isOurs }: { readonly number: number; readonly isOurs: boolean },
    principal: Owner,
  ): OpenContext | null {
    this.#expire()
    const context = isOurs ? this.#open.get(number) : undefined
    return context === undefined || context.principal.name !== principal.name ? null : context
  }

  #free(context: OpenContext): number {
    const { shardCount } = context.held
    this.#open.delete(context.number)
    context.isFreed = true
    if (context.users === 0) context.held.release()
    if (this.#open.size === 0) this.#stopTimer()
    return shardCount
  }

  #expire(): void {
    const now = this.#now()
    for (const context of [...this.#open.values()])
      if (context.expiresAt <= now) this.#free(context)
  }

  /** Sets the timer to the next context that expires; it does not keep the process alive. */
  #arm(): void {
    this.#stopTimer()
    let next = Number.POSITIVE_INFINITY
    for (const { expiresAt } of this.#open.values()) next = Math.min(next, expiresAt)
    if (next === Number.POSITIVE_INFINITY) return
    const delay = Math.min(MAX_DELAY, Math.max(1, Math.ceil(next - this.#now())))
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#expire()
      this.#arm()
    }, delay)
    this.#timer.unref()
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
