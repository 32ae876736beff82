/**
 * Components from elsewhere: a module's default export makes one of its options. They are known by
 * type to every registry of the thread that was made after them; threads load the same modules.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import type { TokenizerComponent } from './component.ts'
import type { ComponentOptions } from './options.ts'
import {
  type CharFilterComponent,
  type FilteredText,
  TokenFilter,
  type TokenFilterComponent,
  Tokenizer,
  type TokenState,
  type TokenStream,
} from './token-stream.ts'

/** The input of a token filter. */
export interface PluginInput {
  /** The token at hand, written in place by all stages of the chain. */
  readonly token: TokenState
  /** Moves to the next token; false behind the last. */
  next(): boolean
}

/** A stage of one chain, used for text after text. */
export interface PluginStage {
  /** Moves to the next token that comes out; false behind the last. */
  next(): boolean
  /** Forgets the text before. */
  reset?(): void
  /** The token then has the text's end and the positions taken out behind the last token. */
  end?(): void
}

/** Makes token filters: of its options, then of what the filter reads from. */
export type TokenFilterPlugin = (options: ComponentOptions) => (input: PluginInput) => PluginStage

/** A tokenizer: cuts texts, one after the other. */
export interface PluginCutter {
  /** Takes hold of the next text. */
  reset(text: string): void
  /** Writes the next token, cleared before; offsets are those in the text. False behind the last. */
  next(): boolean
}

/** Makes tokenizers: of its options, then of the token that a tokenizer writes. */
export type TokenizerPlugin = (options: ComponentOptions) => (token: TokenState) => PluginCutter

/** Makes char filters: of its options a function of texts. */
export type CharFilterPlugin = (options: ComponentOptions) => (text: string) => FilteredText

interface Factories {
  readonly tokenizer: TokenizerPlugin
  readonly filter: TokenFilterPlugin
  readonly char_filter: CharFilterPlugin
}

/** A kind of component that plug-ins may make, as settings name it. */
export type PluginKind = keyof Factories

/** A plug-in, as a thread is told of it. */
export interface PluginModule {
  readonly kind: PluginKind
  /** The type that settings name. */
  readonly type: string
  /** URL of the module. */
  readonly module: string
}

interface Loaded<Kind extends PluginKind> {
  readonly module: PluginModule
  readonly factory: Factories[Kind]
}

const loaded: { readonly [Kind in PluginKind]: Map<string, Loaded<Kind>> } = {
  tokenizer: new Map(),
  filter: new Map(),
  char_filter: new Map(),
}

/**
 * Loads a plug-in's module on this thread; a second time it is left as it is.
 * @throws {IllegalArgumentError} a module without a function as its default export, or another one
 * that has the name already
 * @throws what loading the module throws
 */
export async function loadPlugin(plugin: PluginModule): Promise<void> {
  const before = loaded[plugin.kind].get(plugin.type)
  if (before !== undefined) {
    if (before.module.module === plugin.module) return
    throw new IllegalArgumentError(
      `the ${plugin.kind} [${plugin.type}] is registered already, by [${before.module.module}]`,
    )
  }
  const { default: factory } = (await import(plugin.module)) as { default?: unknown }
  if (typeof factory !== 'function')
    throw new IllegalArgumentError(
      `the default export of [${plugin.module}] must be a function that makes a ${plugin.kind}`,
    )
  // No check at run time can tell the parameters and the result of a function.
  const map = loaded[plugin.kind] as Map<string, unknown>
  map.set(plugin.type, { module: plugin, factory })
}

/** All plug-ins of this thread: what another thread needs. */
export function loadedPlugins(): readonly PluginModule[] {
  return [
    ...loaded.tokenizer.values(),
    ...loaded.filter.values(),
    ...loaded.char_filter.values(),
  ].map(each => each.module)
}

/** A plug-in's token filter; null where none has the type. */
export function pluginFilter(
  name: string,
  type: string,
  options: ComponentOptions,
): TokenFilterComponent | null {
  const plugin = loaded.filter.get(type)
  if (plugin === undefined) return null
  const make = made(name, () => plugin.factory(options))
  return { name, make: input => new PluginFilter(input, make) }
}

/** A plug-in's tokenizer; null where none has the type. */
export function pluginTokenizer(
  name: string,
  type: string,
  options: ComponentOptions,
): TokenizerComponent | null {
  const plugin = loaded.tokenizer.get(type)
  if (plugin === undefined) return null
  const make = made(name, () => plugin.factory(options))
  return { name, make: () => new PluginTokenizer(make) }
}

/** A plug-in's char filter; null where none has the type. */
export function pluginCharFilter(
  name: string,
  type: string,
  options: ComponentOptions,
): CharFilterComponent | null {
  const plugin = loaded.char_filter.get(type)
  if (plugin === undefined) return null
  return { name, filter: made(name, () => plugin.factory(options)) }
}

/** An error that a plug-in throws at its options is the caller's mistake, told as such. */
function made<Made>(name: string, make: () => Made): Made {
  let result: Made
  try {
    result = make()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new IllegalArgumentError(`[${name}]: ${reason}`)
  }
  if (typeof result !== 'function')
    throw new IllegalArgumentError(`[${name}]: the plug-in's function must give a function`)
  return result
}

class PluginFilter extends TokenFilter {
  readonly #stage: PluginStage

  constructor(input: TokenStream, make: ReturnType<TokenFilterPlugin>) {
    super(input)
    this.#stage = make(input)
  }

  next(): boolean {
    return this.#stage.next()
  }

  override end(): void {
    super.end()
    this.#stage.end?.()
  }

  override reset(): void {
    super.reset()
    this.#stage.reset?.()
  }
}

class PluginTokenizer extends Tokenizer {
  readonly #cutter: PluginCutter

  constructor(make: ReturnType<TokenizerPlugin>) {
    super()
    this.#cutter = make(this.token)
  }

  reset(): void {
    this.#cutter.reset(this.text)
  }

  next(): boolean {
    const { token } = this
    token.clear()
    if (!this.#cutter.next()) return false
    token.startOffset = this.correctOffset(token.startOffset)
    token.endOffset = this.correctOffset(token.endOffset)
    return true
  }
}
