import { PageHeader } from '../../components/page-header.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'

export default function AlertsPage() {
  return (
    <>
      <PageHeader title="Alerts">
        <p>Where messages go when a check fails, degrades or recovers, and what was sent.</p>
      </PageHeader>
      <ChannelsSection />
      <NotificationsSection />
    </>
  )
}
