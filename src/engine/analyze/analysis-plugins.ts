/**
 * Components of analysis from modules of the caller's. They are registered for the process, ahead of
 * the indices that name them, and write threads load the same modules.
 */
import {
  type CharFilterPlugin as CharFilterFunction,
  loadPlugin,
  type PluginKind,
  type TokenFilterPlugin as TokenFilterFunction,
  type TokenizerPlugin as TokenizerFunction,
} from '../../analysis/plugins.ts'
import { hasBuiltIn } from '../../analysis/registry.ts'
import { IllegalArgumentError } from '../../util/errors.ts'

/** The default export of a module for `registerTokenFilter`. */
export type TokenFilterPlugin = TokenFilterFunction
/** The default export of a module for `registerTokenizer`. */
export type TokenizerPlugin = TokenizerFunction
/** The default export of a module for `registerCharFilter`. */
export type CharFilterPlugin = CharFilterFunction

/**
 * Makes a module's component known by a type.
 * @param module URL of a module that every thread can load, with a default export
 * @throws {IllegalArgumentError} a malformed name, or one that a built-in component or another module
 * has; a malformed URL; a module that cannot be loaded
 */
export async function registerPlugin(
  kind: PluginKind,
  type: string,
  module: string | URL,
): Promise<void> {
  if (!/^[A-Za-z][\w.-]*$/.test(type))
    throw new IllegalArgumentError(`[${type}] is no name of a ${kind}`)
  if (hasBuiltIn(kind, type))
    throw new IllegalArgumentError(`the ${kind} [${type}] is built in and cannot be replaced`)
  if (!URL.canParse(String(module)))
    throw new IllegalArgumentError(`[${module}] is no URL of a module`)
  const href = new URL(module).href
  try {
    await loadPlugin({ kind, type, module: href })
  } catch (error) {
    if (error instanceof IllegalArgumentError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new IllegalArgumentError(`the module [${href}] cannot be loaded: ${reason}`)
  }
}
