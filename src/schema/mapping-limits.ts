import type { MappingLimits } from './mapping.ts'
import { indexSettings } from './setting-registry.ts'
import type { Settings } from './settings.ts'

/** The limits and defaults that an index's settings give its mapping. */
export function mappingLimits(settings: Settings): MappingLimits {
  const number = (key: string): number =>
    indexSettings.number(settings, `index.mapping.${key}`) ?? 0
  return {
    totalFields: number('total_fields.limit'),
    depth: number('depth.limit'),
    fieldNameLength: number('field_name_length.limit'),
    nestedFields: number('nested_fields.limit'),
    nestedObjects: number('nested_objects.limit'),
    ignoreMalformed: indexSettings.boolean(settings, 'index.mapping.ignore_malformed'),
    coerce: indexSettings.boolean(settings, 'index.mapping.coerce'),
    isVectorIndex: indexSettings.boolean(settings, 'index.knn'),
  }
}
