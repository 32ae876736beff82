import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseSize } from '../../../util/units.ts'
import { repositoryError } from '../snapshot-errors.ts'
import { type ReadText, type RepositoryType, WRITABLE_KEYS } from './repository-type.ts'
import { openS3Client, s3ClientSettings } from './s3-client.ts'
import { MAX_UPLOAD_PARTS, S3Store } from './s3-store.ts'
import { choice, integerWithin } from './setting-values.ts'

const MIB = 2 ** 20
const GIB = 2 ** 30

/** Canned access rules of S3. */
const ACLS = [
  'private',
  'public-read',
  'public-read-write',
  'authenticated-read',
  'log-delivery-write',
  'bucket-owner-read',
  'bucket-owner-full-control',
]
/** Storage classes whose objects can be read at once. */
const STORAGE_CLASSES = [
  'standard',
  'reduced_redundancy',
  'standard_ia',
  'onezone_ia',
  'intelligent_tiering',
]

/** `s3`: a bucket of a server that speaks the protocol of S3, or a part of one. */
export const S3: RepositoryType = {
  keys: [
    'bucket',
    'base_path',
    'client',
    'buffer_size',
    'canned_acl',
    'storage_class',
    'server_side_encryption',
    ...WRITABLE_KEYS,
  ],
  isReadOnly: false,
  chunkSize: '1gb',
  readPlace(name, text) {
    const bucket = text('bucket', '')
    if (bucket === '') throw repositoryError(name, 'No bucket defined for s3 repository')
    // It becomes part of a path, or of the name of a host.
    if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
      throw repositoryError(name, `bucket [${bucket}] is no name of a bucket`)
    const prefix = prefixOf(text('base_path', ''))
    const client = text('client', 'default')
    const options = {
      bufferBytes: bufferOf(text),
      acl: choice(text, 'canned_acl', ACLS, 'private'),
      storageClass: choice(text, 'storage_class', STORAGE_CLASSES, 'standard').toUpperCase(),
      isEncrypted: choice(text, 'server_side_encryption', ['true', 'false'], 'false') === 'true',
    }
    return engine => {
      const settings = s3ClientSettings(
        name,
        client,
        engine.cluster.nodeInfo().settings,
        process.env,
        path => engine.cluster.configFile(path),
      )
      const requests = openS3Client(settings)
      const store = (within: string): S3Store =>
        new S3Store(requests, { ...options, bucket, prefix: `${prefix}${within}` })
      return {
        id: `s3:${settings.endpoint ?? settings.region}:${bucket}/${prefix}`,
        files: store(''),
        blobs: store('blobs/'),
      }
    }
  },
}

/** `a/b/` of `/a/b`, '' of ''. */
function prefixOf(basePath: string): string {
  const parts = basePath.split('/').filter(part => part !== '')
  if (parts.some(part => part === '.' || part === '..' || part.includes('\0')))
    throw new IllegalArgumentError(`failed to parse value [${basePath}] for setting [base_path]`)
  return parts.map(part => `${part}/`).join('')
}

function bufferOf(text: ReadText): number {
  const given = text('buffer_size', '8mb')
  const bytes = integerWithin('buffer_size', given, parseSize(given, 'buffer_size'), {
    min: [5 * MIB, '5mb'],
    max: [5 * GIB, '5gb'],
  })
  const chunk = text('chunk_size', '1gb')
  if (parseSize(chunk, 'chunk_size') > bytes * MAX_UPLOAD_PARTS)
    throw new IllegalArgumentError(
      `chunk_size [${chunk}] takes more than [${MAX_UPLOAD_PARTS}] parts of buffer_size [${given}]`,
    )
  return bytes
}
