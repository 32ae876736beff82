import type { Settings } from '../../schema/settings.ts'
import { definedSimilarities } from '../../schema/similarity/similarity-settings.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import type { ScriptPlan } from '../../search/script/script-plan.ts'
import { scriptsOf } from '../dsl/field/field-similarity.ts'
import { scriptText } from '../dsl/script-plan.ts'
import type { Node } from '../node/node.ts'
import { trySimilarity } from './try-similarity.ts'

/**
 * Checks the similarities that settings define.
 * @throws {EngineError} a definition that no type takes, or a script that does not compile, or gives scores
 *   that no search could rank by
 */
export function checkSimilarities({ scripts }: Node, settings: Settings): void {
  for (const definition of definedSimilarities(settings).values()) {
    if (definition.kind !== 'scripted') continue
    const { script, weightScript } = scriptsOf(definition)
    const plan = (request: ScriptRequest, context: string): ScriptPlan => {
      const resolved = scripts.resolve(request, context)
      scripts.compile(resolved, context)
      const { source, params } = resolved
      const text = scriptText(request)
      const { regex } = scripts
      return { ...NO_DOCUMENT, context, source, name: request.id, params, regex, text }
    }
    trySimilarity(
      plan(script, 'similarity'),
      weightScript === null ? null : plan(weightScript, 'similarity_weight'),
    )
  }
}

/** The parts of a plan whose script reads no document; no other language serves these contexts. */
const NO_DOCUMENT = {
  lang: 'painless',
  fields: [],
  terms: null,
  readsScore: false,
  salt: 0,
} as const
