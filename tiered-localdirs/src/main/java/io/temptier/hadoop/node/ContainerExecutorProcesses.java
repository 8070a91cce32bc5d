// SPDX-License-Identifier: Apache-2.0
package io.temptier.hadoop.node;

import io.temptier.tier.demotion.Launch;
import io.temptier.tier.demotion.Scratch;
import io.temptier.tier.demotion.UserProcesses;
import io.temptier.tier.demotion.UserProcesses.ApplicationUser;
import io.temptier.tier.lang.Immutable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Shell;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation.OperationType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperation.RunAsUserCommand;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.linux.privileged.PrivilegedOperationExecutor;

/**
 * Runs programs by Hadoop's {@code container-executor}, as the NodeManager runs the localizer of a
 * container. What that refuses to run (banned users, low user ids) is refused here, too. Hadoop's
 * own way of calling it has no deadline and keeps all output, so only its command lines are used.
 */
public final class ContainerExecutorProcesses implements UserProcesses {
  private final Configuration conf;

  private ContainerExecutorProcesses(Configuration conf) {
    this.conf = conf;
  }

  /** Makes it for a NodeManager that runs containers so; empty for others. */
  public static Optional<UserProcesses> of(Context context) {
    return context.getContainerExecutor() instanceof LinuxContainerExecutor
            && Shell.isSetsidAvailable
        ? Optional.of(new ContainerExecutorProcesses(context.getConf()))
        : Optional.empty();
  }

  @Override
  public List<String> command(
      ApplicationUser owner, Scratch scratch, Path credentials, List<String> program) {
    ApplicationId application = ApplicationId.fromString(owner.application());
    // It wants the id of a container; this one every application has had.
    ContainerId container =
        ContainerId.newContainerId(ApplicationAttemptId.newInstance(application, 1), 1);
    List<String> command =
        line(
            RunAsUserCommand.INITIALIZE_CONTAINER,
            owner,
            owner.application(),
            container.toString(),
            credentials.toString(),
            scratch.localDir().toString(),
            scratch.logDir().toString());
    command.addAll(program);
    // So that it can be signalled: the executor signals groups.
    command.add(0, "setsid");
    return command;
  }

  @Override
  public void signal(ApplicationUser owner, long pid, Signal signal) throws IOException {
    Launch.run(line(RunAsUserCommand.SIGNAL_CONTAINER, owner, Long.toString(pid), signal.number()));
  }

  @Override
  public boolean deletesAtEnd() {
    return conf.getInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 0) == 0;
  }

  @Override
  public void delete(ApplicationUser owner, Path folder) throws IOException {
    Launch.run(line(RunAsUserCommand.DELETE_AS_USER, owner, folder.toString()));
  }

  private List<String> line(RunAsUserCommand command, ApplicationUser owner, String... arguments) {
    // The operation of each of these commands has its name.
    PrivilegedOperation operation = new PrivilegedOperation(OperationType.valueOf(command.name()));
    operation.appendArgs(owner.runAs(), owner.user(), Integer.toString(command.getValue()));
    operation.appendArgs(arguments);
    return new ArrayList<>(
        Immutable.listOf(
            PrivilegedOperationExecutor.getInstance(conf)
                .getPrivilegedOperationExecutionCommand(null, operation)));
  }
}
