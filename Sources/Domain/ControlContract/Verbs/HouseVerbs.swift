package import GatewayModel

extension Verb {
    package struct Status: ControlVerb {
        package typealias Document = HouseSnapshot
        package static let verb = "status"
        package static let rights = Rights(
            uniqueKeysWithValues: ControlSession.Role.allCases.map { ($0, .any) })
        package init() {}
    }

    /// Asks for the stream of events instead of one answer.
    package struct Watch: ControlVerb {
        package static let verb = "watch"
        package static let rights = Rights.nobody
        package init() {}
    }

    /// Asks for the stream of states: one at once, one after each change, and one a second. The console asks for it without a
    /// session.
    package struct Follow: ControlVerb {
        package static let verb = "follow"
        package static let rights = Rights.nobody
        package init() {}
    }

    /// Reads the devices again.
    package struct Reload: ControlVerb {
        package static let verb = "reload"
        package static let rights = Rights.nobody
        package init() {}
    }

    package struct ReloadSettings: ControlVerb {
        package static let verb = "reload_settings"
        package static let rights = Rights.nobody
        package init() {}
    }

    /// Settings that run.
    package struct Settings: SharedVerb {
        package typealias Document = SettingsListing
        package static let verb = "settings"
        package static let rights = Rights.installers
        package var fields: ByCaller
        package init(_ fields: ByCaller) { self.fields = fields }
    }

    package struct StartCheck: SharedVerb {
        package typealias Document = ControlContract.CheckReport
        package static let verb = "start_check"
        package static let rights = Rights.installers
        package var fields: ByCaller
        package init(_ fields: ByCaller) { self.fields = fields }
    }

    package struct CheckReport: SharedVerb {
        package typealias Document = ControlContract.CheckReport
        package static let verb = "check_report"
        package static let rights = Rights.installers
        package var fields: ByCaller
        package init(_ fields: ByCaller) { self.fields = fields }
    }

    package struct RecentEvents: SharedVerb {
        package typealias Document = [EventRow]
        package static let verb = "recent_events"
        package static let rights = Rights.installers
        package var fields: ByCaller
        package init(_ fields: ByCaller) { self.fields = fields }
    }
}
