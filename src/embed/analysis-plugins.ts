import {
  type CharFilterPlugin as CharFilterFunction,
  registerPlugin,
  type TokenFilterPlugin as TokenFilterFunction,
  type TokenizerPlugin as TokenizerFunction,
} from '../engine/analyze/analysis-plugins.ts'
import { rethrown } from './lamella-error.ts'

/**
 * The default export of a module for `registerTokenFilter`: takes the options that settings give and
 * returns a function from the filter's input to the filter's stage.
 */
export type TokenFilterPlugin = TokenFilterFunction

/** The default export of a module for `registerTokenizer`. */
export type TokenizerPlugin = TokenizerFunction

/** The default export of a module for `registerCharFilter`. */
export type CharFilterPlugin = CharFilterFunction

/**
 * Makes a token filter of your own known to this process by a type, for `settings.analysis.filter`
 * and `_analyze`. Register it before opening a database whose indices use it.
 *
 * @param module URL of a module with a default export of type `TokenFilterPlugin`; write threads load
 *   it as well, so it must stand for itself
 * @throws {LamellaError} a name that is taken, a module that cannot be loaded
 */
export function registerTokenFilter(type: string, module: string | URL): Promise<void> {
  return rethrown(() => registerPlugin('filter', type, module))
}

/** The same for a tokenizer, whose module exports a `TokenizerPlugin`. */
export function registerTokenizer(type: string, module: string | URL): Promise<void> {
  return rethrown(() => registerPlugin('tokenizer', type, module))
}

/** The same for a char filter, whose module exports a `CharFilterPlugin`. */
export function registerCharFilter(type: string, module: string | URL): Promise<void> {
  return rethrown(() => registerPlugin('char_filter', type, module))
}
