/** The items of a setting that is a list, given as one or as a comma list. */
export function settingList(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  const items: readonly unknown[] = Array.isArray(value) ? value : String(value).split(',')
  return items.map(item => String(item).trim()).filter(item => item !== '')
}
