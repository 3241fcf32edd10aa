import type { LinkedAsset } from '@vedette/schema'
import { useState } from 'react'
import { sameOrigin } from '../../../../api/same-origin.ts'
import { Dialog } from '../../../../components/dialog.tsx'
import { Icon } from '../../../../components/icon.tsx'
import { formatBytes } from '../../../../components/number.ts'
import { Section } from '../../../../components/section.tsx'

export const isPicture = ({ contentType }: LinkedAsset): boolean => /^image\/(?:png|jpe?g|webp|gif)$/.test(contentType)
const isVideo = ({ contentType }: LinkedAsset): boolean => contentType.startsWith('video/')

const captionOf = ({ name, test }: LinkedAsset): string => (test === null ? name : `${name}, of ${test}`)

/** What the run looked like. */
export function PicturesSection({ assets }: { assets: readonly LinkedAsset[] }) {
  const pictures = assets.filter(isPicture)
  const videos = assets.filter(isVideo)
  if (pictures.length + videos.length === 0) return null
  return (
    <Section title={videos.length === 0 ? 'Screenshots' : 'Screenshots and videos'}>
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {pictures.map((picture) => (
          <Picture key={picture.name} picture={picture} caption={captionOf(picture)} />
        ))}
        {videos.map((video) => (
          <figure key={video.name} className="min-w-0">
            {/* biome-ignore lint/a11y/useMediaCaption: what is filmed is a page, and it makes no sound */}
            <video
              controls
              preload="metadata"
              src={sameOrigin(video.url)}
              aria-label={`Video: ${captionOf(video)}`}
              className="aspect-video w-full rounded-lg border border-line bg-sunken"
            />
            <Caption asset={video} />
          </figure>
        ))}
      </div>
    </Section>
  )
}

/** A picture that opens in its full size. */
export function Picture({ picture, caption }: { picture: LinkedAsset; caption: string }) {
  const [isLarge, setIsLarge] = useState(false)
  return (
    <figure className="min-w-0">
      <button
        type="button"
        aria-label={`Enlarge ${caption}`}
        className="block w-full cursor-zoom-in overflow-hidden rounded-lg border border-line bg-sunken"
        onClick={() => setIsLarge(true)}
      >
        <img
          src={sameOrigin(picture.url)}
          alt={`Screenshot: ${caption}`}
          loading="lazy"
          className="aspect-video w-full object-contain object-top"
        />
      </button>
      <Caption asset={picture} />
      {isLarge && (
        <Dialog title={picture.name} size="whole" onClose={() => setIsLarge(false)}>
          <img src={sameOrigin(picture.url)} alt={`Screenshot: ${caption}`} className="mx-auto h-auto max-w-full" />
        </Dialog>
      )}
    </figure>
  )
}

function Caption({ asset: { name, test } }: { asset: LinkedAsset }) {
  return (
    <figcaption className="mt-1.5 text-[0.8125rem] break-words text-soft">
      {name}
      {test !== null && <span className="block text-faint">{test}</span>}
    </figcaption>
  )
}

const words: Record<LinkedAsset['type'], string> = {
  trace: 'Trace',
  video: 'Video',
  screenshot: 'Screenshot',
  attachment: 'Attachment',
  report: 'Report',
}

/** Everything to take away, traces first: they are the run step by step. */
export function FilesSection({ assets }: { assets: readonly LinkedAsset[] }) {
  if (assets.length === 0) return null
  const sorted = [...assets.filter(({ type }) => type === 'trace'), ...assets.filter(({ type }) => type !== 'trace')]
  return (
    <Section title="Files of the run">
      <ul className="divide-y divide-line text-[0.875rem]">
        {sorted.map((asset) => (
          <li
            key={asset.name}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5 first:pt-0 last:pb-0"
          >
            <span className="min-w-0">
              <span className="font-mono text-[0.8125rem] break-all">{asset.name}</span>
              <span className="block text-[0.8125rem] text-faint">
                {words[asset.type]}, {formatBytes(asset.size)}
                {asset.test !== null && `, of ${asset.test}`}
              </span>
            </span>
            <span className="flex flex-wrap gap-2">
              {asset.viewer !== null && (
                <a href={sameOrigin(asset.viewer)} target="_blank" rel="noreferrer" className="button">
                  <Icon name="external" /> Open trace
                </a>
              )}
              <a
                href={sameOrigin(asset.url)}
                download={asset.name}
                aria-label={`Download ${asset.name}`}
                className="button"
              >
                Download
              </a>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
