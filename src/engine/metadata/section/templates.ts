/** The sections of the node's state that hold templates: `{"⟨name⟩": template, …}` for each kind. */
import { CorruptSegmentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { JsonMap } from '../../../util/json/json-value.ts'
import {
  type ComponentTemplate,
  type IndexTemplate,
  type LegacyTemplate,
  parseComponentTemplate,
  parseIndexTemplate,
  parseLegacyTemplate,
  printComponentTemplate,
  printIndexTemplate,
  printLegacyTemplate,
  type Templates,
} from '../template.ts'
import type { MetadataSection } from './metadata-section.ts'

/** Parts of index templates. */
export const COMPONENT_TEMPLATES: MetadataSection<Templates<ComponentTemplate>> = templatesSection(
  'component_templates',
  parseComponentTemplate,
  template => printComponentTemplate(template, true),
)

/** Index templates. */
export const INDEX_TEMPLATES: MetadataSection<Templates<IndexTemplate>> = templatesSection(
  'index_templates',
  node => parseIndexTemplate(node, true),
  template => printIndexTemplate(template, true),
)

/** Templates of the older kind. */
export const LEGACY_TEMPLATES: MetadataSection<Templates<LegacyTemplate>> = templatesSection(
  'legacy_templates',
  parseLegacyTemplate,
  template => printLegacyTemplate(template, true),
)

function templatesSection<T>(
  name: string,
  parse: (node: JsonNode) => T,
  print: (template: T) => JsonMap,
): MetadataSection<Templates<T>> {
  return {
    name,
    version: 1,
    isRequired: true,
    empty: () => new Map(),
    upgrade: content => content,
    parse(content) {
      if (content.kind !== 'object')
        throw new CorruptSegmentError('state', 32, 'templates by name', content.kind)
      return new Map(content.entries.map(({ key, value }) => [key, parse(value)]))
    },
    print: templates => new Map([...templates].map(([name, value]) => [name, print(value)])),
  }
}
