package import GatewayModel
package import HelpState
package import RunBeacon
package import SOSLocal

/// Event in the house, for those who watch the feed of the control socket.
package enum FeedEvent: Sendable {
    case reading(Reading)
    case position(Fix)
    case health(HealthCondition, isRaised: Bool, at: Moment)
    /// Decision of the alarm machine.
    case decided(SOSAction, at: Moment)
    /// A call for help was given to a channel.
    case dispatch(DispatchOrder, through: ChannelID, at: Moment)
    /// The end of an alarm was given to a channel that has the call.
    case cancelled(Retraction, through: ChannelID, at: Moment)
    /// Nobody was called.
    case notCalled(AlarmID, of: PersonID, why: String, at: Moment)
    /// An alarm was open when the watcher came.
    case open(Alarm, HelpState, at: Moment)
    /// No alarm was open when the watcher came.
    case noOpenAlarm(at: Moment)
    case passing(Passing, at: Moment)
    /// A runner should have passed by now.
    case overdue(OverdueRunner, at: Moment)
    /// Position of a runner; `id` is that of its message to the broker.
    case runner(Enrolment, at: RunnerPosition, id: MessageID)
}
