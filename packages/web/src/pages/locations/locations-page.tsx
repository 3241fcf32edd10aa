import { PageHeader } from '../../components/page-header.tsx'
import { DataCentersSection } from './data-centers-section.tsx'
import { PrivateLocationsSection } from './private-locations-section.tsx'

export default function LocationsPage() {
  return (
    <>
      <PageHeader title="Locations">
        <p>
          A check runs where a runner serves its location: the one on this machine, or others that sign in from
          elsewhere with a key.
        </p>
      </PageHeader>
      <PrivateLocationsSection />
      <DataCentersSection />
    </>
  )
}
