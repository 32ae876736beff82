/** Runs compiled scripts over tokens. Loaded with the compilers, when the first script needs them. */
import { SCRIPT_CONTEXTS } from '../script/context/script-contexts.ts'
import { compileInContext } from '../script/painless/compile-in-context.ts'
import type { PainlessScript } from '../script/painless/compile-painless.ts'
import { TokenValue } from '../script/painless/library/token-class.ts'
import { newDocumentRun } from '../script/script-run.ts'
import type { TokenScript, TokenScriptSettings, TokenScripts } from './token-script.ts'

/**
 * A compiled script of the context `analysis` over tokens.
 * @param maxMillis what it may take for one token
 */
export function tokenScript(script: PainlessScript, maxMillis: number): TokenScript {
  return {
    open(token) {
      const value = new TokenValue(token)
      const run = newDocumentRun(maxMillis)
      return position => {
        value.position = position
        run.restart()
        run.step()
        return script.execute([value], run) as boolean
      }
    },
  }
}

/** Scripts that were checked when their index was made: they are compiled as they are. */
export function checkedTokenScripts(
  settings: TokenScriptSettings,
  maxMillis: number,
): TokenScripts {
  const context = SCRIPT_CONTEXTS.get('analysis')!
  return {
    settings,
    compile: ({ source }) => tokenScript(compileInContext(source, context, settings), maxMillis),
  }
}
