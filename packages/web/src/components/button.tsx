import type { ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Look = 'plain' | 'primary' | 'danger' | 'quiet'

const looks: Record<Look, string> = {
  plain: 'button',
  primary: 'button button-primary',
  danger: 'button button-danger',
  quiet: 'button button-quiet',
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look
  icon?: IconName
  /** While true the button cannot be pressed again, but keeps its place and focus. */
  busy?: boolean
}

export function Button({ look = 'plain', icon, busy = false, children, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={`${looks[look]} ${busy ? 'opacity-70' : ''} ${className ?? ''}`}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button of which only the icon is seen. */
export function IconButton({
  icon,
  label,
  ...rest
}: Omit<ButtonProps, 'children'> & { icon: IconName; label: string }) {
  return <Button look="quiet" {...rest} icon={icon} aria-label={label} title={label} className="button-square" />
}
