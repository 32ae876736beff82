import { decodeUtf8 } from '../util/bytes.ts'
import { EngineError } from '../util/errors.ts'
import { writeJson } from '../util/json/json-writer.ts'
import { TEMPLATE_TYPE } from './dynamic-mapping.ts'
import { DYNAMIC_KINDS, type DynamicTemplate, instantiateTemplate } from './dynamic-template.ts'
import { parseNamedEntry } from './field-parser.ts'
import type { Mapping } from './mapping.ts'
import type { MappingContext } from './mapping-parser.ts'

/** A warning for each dynamic template that no value could ever be mapped by. */
export function templateWarnings(mapping: Mapping, context: MappingContext): string[] {
  const warnings: string[] = []
  for (const template of mapping.options.dynamicTemplates ?? []) {
    const problem = problemOf(template, context)
    if (problem === null) continue
    const content = decodeUtf8(writeJson(template.printed))
    warnings.push(
      `dynamic template [${template.name}] has invalid content [${content}], caused by [${problem}]`,
    )
  }
  return warnings
}

/** Why the template works for no kind of value; null when it does, or when that depends on names. */
function problemOf(template: DynamicTemplate, context: MappingContext): string | null {
  if (decodeUtf8(writeJson(template.printed)).includes('{name}')) return null
  const name = `__dynamic__${template.name}`
  let problem: string | null = null
  for (const kind of template.kind === null ? DYNAMIC_KINDS : [template.kind]) {
    try {
      const definition = instantiateTemplate(template, name, TEMPLATE_TYPE[kind])
      parseNamedEntry(definition, name, name, 0, context)
      return null
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      problem = error.record.reason
    }
  }
  return problem
}
