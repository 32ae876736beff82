import { REST_ACTION_NAMES } from './rest-action-names.ts'

/** A route as it is counted: the endpoint's own, and the one that a request took. */
interface CountedRoute {
  readonly routes: readonly (readonly [method: string, path: string])[]
}

/** Requests that endpoints have been given since the start, refused ones among them. */
export class RestUsage {
  /** Milliseconds since 1970. */
  readonly since: number = Date.now()
  readonly #counts = new Map<string, number>()
  /** Names by path and method: making one costs more than counting it. */
  readonly #names = new Map<string, Map<string, string>>()

  /**
   * Counts a request.
   * @param path as the table of routes has it
   */
  note(endpoint: CountedRoute, method: string, path: string): void {
    let names = this.#names.get(path)
    if (names === undefined) this.#names.set(path, (names = new Map()))
    let name = names.get(method)
    if (name === undefined) names.set(method, (name = usageName(endpoint, method, path)))
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** By the name of the action, in order of name. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** The name under which requests of a route are counted; its path where the table has no line for it. */
function usageName({ routes }: CountedRoute, method: string, path: string): string {
  const own = REST_ACTION_NAMES[`${method} ${path}`]
  if (own !== undefined) return own
  const [first] = routes
  const route = first!.join(' ')
  return REST_ACTION_NAMES[route] ?? route
}
