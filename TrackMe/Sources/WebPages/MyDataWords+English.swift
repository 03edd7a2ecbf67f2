import ContractReading
import GatewayModel
import Store

extension MyDataWords {
    func english(_ text: Text) -> String {
        switch text {
        case .month: "30 days"
        case .quarter: "90 days"
        case .noData(let gap): "no data, because \(Self.englishReason(gap.reason)) (\(gap.dropped) missing)"
        case .missing(let from, let to, let gap):
            "From \(from) to \(to): \(gap.dropped) readings are missing, because \(Self.englishReason(gap.reason))."
        case .alarm(let time, let state, let isDrill):
            (isDrill ? "Rehearsal of an alarm" : "Alarm") + " on \(time): "
                + {
                    switch state {
                    case .pending, .confirmed: "not over"
                    case .cancelled: "cancelled"
                    case .resolved: "resolved"
                    case .accepted: "help has accepted it"
                    case .lapsed: "nobody answered"
                    }
                }()
        case .houseLink: "House and devices"
        case .house: "House"
        case .seen(let time): "Last seen on \(time)."
        case .neverSeen: "The house has told nothing of itself yet."
        case .present: "It is connected."
        case .away: "It is not connected."
        case .version(let version): "Version \(version)."
        case .onBattery(let percent):
            percent.map { "It runs on its battery, which has \($0) %." } ?? "It runs on its battery."
        case .unsent(let count): "Messages that wait there to be sent: \(count)."
        case .conditions: "Conditions that the house tells of"
        case .condition(let code?, let subject): Self.sentence(code.title(in: .english), subject)
        case .condition(nil, let subject):
            Self.sentence(
                "The house tells of something that this server cannot name; the pages at home show it", subject)
        case .devices: "Devices"
        case .noDevices: "No device has sent readings."
        case .lastReading(let time): "Last reading on \(time)."
        case .noReading: "No reading is known."
        case .batteryLow: "Its battery is nearly empty."
        case .batteryNotTold: "The house tells a battery only when it is nearly empty."
        case .limits: "Alarm limits"
        case .automatedSOS: "Calls for help (AutomatedSOS)"
        case .automatedSOSOn: "On: agreed at home"
        case .automatedSOSOff: "Off: nobody has agreed at home. The house calls no help by itself"
        case .automatedSOSHint:
            "The house judges emergencies by the sensors and calls help. It is switched on and off at home alone, on the page Permissions of the house or with the installer."
        case .limitsIntro:
            "The house judges alarms by limits of its own. It shows them here, and in the charts of all linked accounts, if the "
                + "person says yes at home."
        case .limitsAsk: "Ask the person"
        case .limitsEnd: "Do not show them any more"
        case .limitState(let state):
            switch state {
            case .asked: "The person has been asked"
            case .shared: "Shown"
            case .refused: "The person said no"
            case .ended: "Not shown any more"
            case .expired: "The person did not answer"
            case .failed: "The house did not take the question"
            }
        case .limit(let side, let value):
            switch side {
            case .low: "Alarm below \(value)"
            case .high: "Alarm above \(value)"
            case .warningLow: "Warning below \(value)"
            case .warningHigh: "Warning above \(value)"
            }
        case .notices: "News of the house"
        case .noNotices: "There is no news."
        case .ended: "Over"
        case .interval: "How often readings are sent"
        case .intervalIntro:
            "In the house every reading is seen: alarms do not change. A longer interval only sends fewer readings to this server "
                + "and to companies. The house may refuse the command."
        case .seconds: "Seconds between two readings"
        case .secondsHint: "From 1 to 3600. 0 goes back to the settings of the house."
        case .send: "Send to the house"
        case .badSeconds: "Write a whole number from 0 to 3600."
        case .tooMany: "That is enough for today. Try again tomorrow."
        case .sent: "The command is on its way."
        case .commands: "Commands and the answers of the house"
        case .noCommands: "No command was sent."
        case .everySeconds(let kind, let seconds): "\(kind): every \(seconds) s"
        case .asSettings(let kind): "\(kind): as in the settings of the house"
        case .state(let state):
            switch state {
            case .sent: "on its way"
            case .done: "done by the house"
            case .refused: "refused by the house"
            case .noAnswer: "the house did not answer in time"
            }
        case .reason(let code): "Reason: \(code)"
        case .looks: "Accounts that looked"
        case .looksIntro: "Each account needs a yes at home. Its looks are counted by day, yours as well."
        case .noLooks: "Nobody has looked yet."
        case .deletedAccount: "an account that was deleted"
        case .look(let manner, let count, let time):
            switch manner {
            case .page: "pages: \(count), last on \(time)"
            case .file: "files: \(count), last on \(time)"
            case .program: "by a program: \(count), last on \(time)"
            case .export: "export of everything: \(count), last on \(time)"
            }
        case .profile: "Profile"
        case .zone: "Time zone"
        case .serverZone: "as the server"
        case .changePassword: "Change the password"
        case .currentPassword: "Present password"
        case .newPassword: "New password"
        case .passwordChanged: "The password is changed. All other browsers are signed out."
        case .wrongPassword: "This is not your password."
        case .groups: "Group figures"
        case .groupsLink: "Choose whether you are counted in figures of groups"
        case .export: "Take everything with you"
        case .exportIntro:
            "One file with your account, and with all that is kept of the persons who have accepted you: readings where they are "
                + "still kept, else the least, mean and greatest of each minute or hour. "
                + "For calls at the emergency desk ask the operator."
        case .exportJSON: "Everything as JSON"
        case .exportCSV: "Readings as CSV"
        case .exportFHIR: "Readings as FHIR R4"
        case .deleteStart: "Read what happens first"
        case .deleteAsk: "If you delete your account, this happens at once:"
        case .deleteWithdraws:
            "These links are ended, and the houses are told by a signed command, until each has answered:"
        case .deleteErases:
            "If no other account is linked to one of these persons, everything that is kept here of that person is erased: "
                + "readings, summaries, gaps, news, documents and the log of looks."
        case .deleteKeepsOthers:
            "If another account is linked to the person, the readings stay for that account."
        case .deleteSessions(let count): "Signed-in browsers that are signed out: \(count)."
        case .deleteKey:
            "The key that opens your name is destroyed, also for old copies of the database once they are replaced."
        case .deleteStays:
            "What stays: the data in the house itself, copies that a company has already read, and calls for help at the desk, "
                + "which the operator has to keep."
        case .deleteExportFirst: "Take your data with you first, if you want to keep them."
        case .deleteNoLinks: "Your account has no link."
        }
    }

    private static func englishReason(_ reason: SampleGap.Reason?) -> String {
        switch reason {
        case .quota: "the disk of the house was full"
        case .age: "the house was away for too long"
        case .storage: "the disk of the house failed"
        case .refused: "the broker did not take them"
        case nil: "of a reason that this server does not know"
        }
    }
}
