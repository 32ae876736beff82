/** Scripts that tell tokens apart, as filters see them: functions of tokens, whatever runs them. */
import type { TokenState } from './token-stream.ts'

/** A script of the options of a filter, of the context `analysis`. */
export interface TokenScriptRequest {
  readonly source: string
  readonly lang: string
}

/** Whether a script holds for a token. */
export type TokenPredicate = (
  /** In the text, from 0. */
  position: number,
) => boolean

/** A script that is ready to run. */
export interface TokenScript {
  /**
   * Its predicate over the token that a chain's stages share; a predicate belongs to one chain.
   * The predicate throws an `EngineError`: `script_exception`, `circuit_breaking_exception`.
   */
  open(token: TokenState): TokenPredicate
}

/** Settings of the scripts' regular expressions; plain data. */
export interface TokenScriptSettings {
  readonly regex: 'true' | 'false' | 'limited'
  readonly regexLimitFactor: number
}

/** The scripts of a registry of components. */
export interface TokenScripts {
  readonly settings: TokenScriptSettings
  /**
   * @throws {EngineError} `script_exception`: it does not compile; what else refuses the script
   * @throws {CompilersNotLoadedError} it is to be asked again when they are
   */
  compile(request: TokenScriptRequest): TokenScript
}
