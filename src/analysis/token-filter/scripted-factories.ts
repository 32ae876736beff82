/** Factories of filters that ask a script about each token. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { bindFilters } from '../analyzer/chain.ts'
import type { TokenFilterFactory } from '../component.ts'
import { type ComponentOptions, listOption, textOption } from '../options.ts'
import type { TokenScript, TokenScriptRequest } from '../token-script.ts'
import type { TokenFilterComponent, TokenStream } from '../token-stream.ts'
import { ConditionalFilter } from './conditional-filter.ts'
import { FilteringTokenFilter } from './stop-filter.ts'

const PREFIX = 'script.'
/** Keys of a script; the values of `params` and `options` stand deeper and reach no token. */
const KEYS: ReadonlySet<string> = new Set(['id', 'inline', 'lang', 'source', 'stored'])
const DEEP_KEYS = /^(params|options)\./

/**
 * The script of a filter's options.
 * @throws {IllegalArgumentError} it is none, or a stored one
 */
function readScript(name: string, options: ComponentOptions): TokenScriptRequest {
  for (const key of options.keys()) {
    const own = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null
    if (own !== null && !KEYS.has(own) && !DEEP_KEYS.test(own))
      throw new IllegalArgumentError(`[script] unknown field [${own}]`)
  }
  const option = (key: string): string | null => textOption(options, `${PREFIX}${key}`)
  const source = option('source') ?? option('inline')
  const id = option('id') ?? option('stored')
  if (source !== null && id !== null)
    throw new IllegalArgumentError('must only use one of [source, id] when specifying a script')
  if (source === null && id === null)
    throw new IllegalArgumentError(
      'must specify either [source] for an inline script or [id] for a stored script',
    )
  if (source === null)
    throw new IllegalArgumentError(`Cannot use stored scripts in tokenfilter [${name}]`)
  return { source, lang: option('lang') ?? 'painless' }
}

/** Lets through the tokens that a script holds for. */
class PredicateFilter extends FilteringTokenFilter {
  readonly #asked: AskedTokens

  constructor(input: TokenStream, script: TokenScript) {
    super(input)
    this.#asked = new AskedTokens(input, script)
  }

  protected override accept(): boolean {
    return this.#asked.holds()
  }

  override reset(): void {
    super.reset()
    this.#asked.reset()
  }
}

/** Sends the tokens that a script holds for through a chain. */
class ScriptedConditionFilter extends ConditionalFilter {
  readonly #asked: AskedTokens

  constructor(input: TokenStream, chain: (input: TokenStream) => TokenStream, script: TokenScript) {
    const asked = new AskedTokens(input, script)
    super(input, chain, () => asked.holds())
    this.#asked = asked
  }

  override reset(): void {
    super.reset()
    this.#asked.reset()
  }
}

/** A script over the tokens of a stream, which is asked once for each. */
class AskedTokens {
  readonly #token: TokenStream['token']
  readonly #predicate: ReturnType<TokenScript['open']>
  #position = -1

  constructor({ token }: TokenStream, script: TokenScript) {
    this.#token = token
    this.#predicate = script.open(token)
  }

  holds(): boolean {
    this.#position += this.#token.positionIncrement
    return this.#predicate(this.#position)
  }

  reset(): void {
    this.#position = -1
  }
}

const condition: TokenFilterFactory = (name, options, context) => {
  const script = context.script(readScript(name, options))
  const names = listOption(options, 'filter')
  if (names.length === 0)
    throw new IllegalArgumentError(`Empty list of filters provided to tokenfilter [${name}]`)
  return {
    name,
    showsKeyword: true,
    make: () => {
      throw new Error(`token filter [${name}] has not been bound to a chain`)
    },
    bind: before => {
      const filters = names.map((each): TokenFilterComponent => {
        const filter = context.filter(each)
        if (filter === null)
          throw new IllegalArgumentError(
            `ScriptedConditionTokenFilter [${name}] refers to undefined token filter [${each}]`,
          )
        return filter
      })
      const bound = bindFilters(filters, before)
      const chain = (input: TokenStream): TokenStream =>
        bound.reduce((stream, filter) => filter.make(stream), input)
      return {
        name,
        showsKeyword: true,
        isForSearches: bound.some(filter => filter.isForSearches),
        make: input => new ScriptedConditionFilter(input, chain, script),
      }
    },
  }
}

const predicate: TokenFilterFactory = (name, options, context) => {
  const script = context.script(readScript(name, options))
  return { name, showsKeyword: true, make: input => new PredicateFilter(input, script) }
}

/** Type → factory. */
export const SCRIPTED_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['condition', condition],
  ['predicate_token_filter', predicate],
]
