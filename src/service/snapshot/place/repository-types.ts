import { FS } from './fs.ts'
import type { RepositoryType } from './repository-type.ts'
import { S3 } from './s3.ts'
import { URL_PLACE } from './url.ts'

/** The types of repositories. */
export const REPOSITORY_TYPES: ReadonlyMap<string, RepositoryType> = new Map([
  ['fs', FS],
  ['s3', S3],
  ['url', URL_PLACE],
])
