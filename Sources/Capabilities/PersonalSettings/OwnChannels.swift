import ControlContract
import GatewayModel
import Hub
import SOSLocal
import Settings

/// Rule for the choice of a person among the channels that the settings leave to them. Pure.
struct OwnChannels {
    private let written: GatewaySettings.Person
    private let usable: Set<ChannelID>

    /// - Parameters:
    ///   - written: the person in the settings of the file.
    ///   - usable: channels that can be called.
    init(of written: GatewaySettings.Person, usable: Set<ChannelID>) {
        (self.written, self.usable) = (written, usable)
    }

    /// Applies the choice. Throws where the channel is not the person's to switch, or nobody would be left to call.
    func apply(
        _ edit: Verb.ChangeChannel, to choices: inout PersonChoices, by author: OwnProfile.Author
    ) throws(OwnChangeRefusal) {
        let own = written.ownChannels
        guard own.contains(edit.channel) else {
            throw .outOfBounds(
                "channel: saw '\(edit.channel)', expected one of own_channels in the settings, here "
                    + "\(Shown.list(own.map(\.text), orElse: "none")): the installer can add it")
        }
        var next = choices
        if edit.isReset {
            next[edit.channel] = nil
        } else {
            let before = choices[edit.channel]
            next[edit.channel] = ChannelChoice(
                emergency: edit.emergency ?? before?.emergency, warnings: edit.warnings ?? before?.warnings,
                author: author)
        }
        let ways = written.plan.ways
        let (called, calledBefore) = (ways.called(by: next, among: own), ways.called(by: choices, among: own))
        let loses = usable.isDisjoint(with: called) && !usable.isDisjoint(with: calledBefore)
        guard !called.isEmpty, !loses else {
            throw .outOfBounds(
                "emergency: saw no usable channel left (\(Shown.list(called.map(\.text), orElse: "none"))), expected "
                    + "one at least, or nobody would be called: switch another one on first")
        }
        choices = next
    }
}
