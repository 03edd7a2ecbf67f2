package import Alarms
package import Hub
package import OutboxService
import Settings
import Vault
import Wearables

/// State that readings share with other capabilities: what the last run kept of the wearables, and the mailbox of the radio.
package struct ReadingState: Sendable {
    /// State of each broadcaster.
    package let broadcasters: BroadcasterState
    /// Stored records of wearables, and entries of programs, that were reported already.
    package let seenRecords: SeenRecords
    /// Kinds of reading and events that each wearable has shown.
    package let abilities: WearableAbilityStore
    package let lastReadings = LastReadings()
    /// Persons whose wearables are asked for their position.
    package let followed: FollowedPersons
    /// Signal strengths of the adverts of one broadcaster.
    package let advertSignals = AdvertSignals()
    let radioInbox: RadioInbox

    /// Restores the state of the last run. Files that cannot be read are reported. Blocking I/O.
    ///
    /// Errors: a key of a broadcaster that cannot be used; the kernel has no descriptor left.
    package init(_ core: GatewayCore) throws {
        let wearables = core.settings().wearables
        let sources = core.settings().sources
        broadcasters = try BroadcasterState(of: wearables, from: core.database, core.log)
        seenRecords = .restored(
            from: core.database, of: wearables.map(\.id) + sources.map(\.id), core.log)
        abilities = .restored(from: core.database, of: wearables, core.writer, core.log)
        let inbox = try RadioInbox()
        radioInbox = inbox
        followed = FollowedPersons { inbox.followPositions(of: $0) }
    }

    /// Wearables as the alarms command them.
    package var alarmWearables: AlarmWearables {
        AlarmWearables(
            buzz: { [radioInbox] in radioInbox.alarm($0, isOn: $1) },
            follow: { [followed] in followed.setPersonsInAlarm($0) })
    }
}
