import { BUNDLE_LIMITS, CodeBundle } from '../code-bundle.ts'
import { route } from '../route.ts'

export const uploadPlaywrightBundle = route({
  method: 'POST',
  path: '/v1/playwright-bundles',
  policy: 'write',
  tag: 'Checks',
  summary: 'Upload the project of a suite',
  description:
    'The body is the project as a tar.gz, sent as `application/gzip` or `application/octet-stream`: 50 MiB at most, 10,000 files and 200 MiB when unpacked. Its entries are files, folders and symbolic links that stay in it. The same archive has the same `codeBundlePath`, however often it is uploaded. Bundles that no check has used for 30 days are removed; sooner when those of an account are more than 5 GiB.',
  takesBytes: true,
  bodyLimit: BUNDLE_LIMITS.bytes,
  answers: { 201: CodeBundle },
  refusals: {
    400: 'The archive cannot be taken: the message names what in it is the reason.',
    409: 'Checks use bundles of 5 GiB already.',
    413: 'The archive is larger than 50 MiB.',
  },
})
